// Defines attachments of mails, and how large they may be.

/** A file of a mail, with its bytes. */
export interface MailAttachment {
  filename: string
  contentType: string
  content: Buffer
}

/** A file of a step. */
export interface StepFile {
  /** As base64; null for one that is fetched. */
  content: string | null
  /** Of the address, as its author wrote it; undefined where a value chooses it. */
  host: string | undefined
}

/** All attachments of a mail together. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024

/** Types of usual files, for attachments that name none. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  html: 'text/html',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
}

/** @returns the type by the ending of the name; else one that says nothing */
export function typeOfFile(filename: string): string {
  return TYPES[/\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}
