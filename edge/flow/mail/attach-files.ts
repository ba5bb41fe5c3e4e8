// Fetches the files of a mail when it is sent, through the guard of outbound calls.

import type { MailParts } from '../../../contract/resources/mail.ts'
import { MAX_ATTACHMENT_BYTES, type MailAttachment, type StepFile, typeOfFile } from '../../domain/mail/attachment.ts'
import type { GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { createFileSlots } from './file-slots.ts'

const TIMEOUT_MS = 30_000

type Rendered = NonNullable<MailParts['attachments']>[number]

/** Files that could not be had now; `error` is for people. */
export interface MissingFile {
  error: string
}

export type LoadedFiles = MailAttachment[] | MissingFile

export interface AttachFiles {
  /**
   * Calls `send` with what gives the files, or says what is missing. Mails whose files are fetched wait for a slot of
   * their environment, and have them then. The files of a step are decoded when they are sent: hundreds of mails may wait for a provider.
   * @param stepFiles The step's attachments by place
   * @returns undefined without calling `send` when too many mails of the environment wait already
   */
  with<T>(
    environmentId: number,
    attachments: readonly Rendered[],
    stepFiles: readonly StepFile[],
    send: (files: () => Promise<LoadedFiles>) => Promise<T> | undefined,
  ): Promise<T | undefined> | undefined
}

export interface AttachFilesDeps {
  /** Reaches the addresses of OUTBOUND_ALLOW as well: for hosts that no value chooses. */
  fetch: GuardedFetch['fetch']
  /** Reaches public addresses alone. */
  fetchPublic: GuardedFetch['fetch']
  /** For all files of a mail together. */
  timeoutMs?: number
}

export function createAttachFiles({ fetch, fetchPublic, timeoutMs = TIMEOUT_MS }: AttachFilesDeps): AttachFiles {
  const slots = createFileSlots()

  async function load(
    { filename, url, contentType, place }: Rendered,
    stepFiles: readonly StepFile[],
    left: { bytes: number; ms: number },
  ): Promise<MailAttachment | MissingFile> {
    const missing = (words: string) => ({ error: `The attachment ${filename} is missing: ${words}` })
    if (url === null) {
      const content = stepFiles[place]?.content ?? null
      if (content === null) return missing('the step has it no more.')
      return { filename, contentType: contentType ?? typeOfFile(filename), content: Buffer.from(content, 'base64') }
    }
    try {
      const isOwnHost = stepFiles[place]?.host === new URL(url).host
      const call = isOwnHost ? fetch : fetchPublic
      const answer = await call(url, { asBytes: true, maxBytes: left.bytes, timeoutMs: Math.max(1, left.ms) })
      if (answer.status !== 200 || answer.bytes === undefined) return missing(`its address answers ${answer.status}.`)
      return { filename, contentType: contentType ?? typeOfFile(filename), content: answer.bytes }
    } catch (error) {
      return missing(error instanceof Error ? error.message : 'it was not fetched.')
    }
  }

  async function loadAll(attachments: readonly Rendered[], stepFiles: readonly StepFile[]) {
    const startedAt = performance.now()
    const files: MailAttachment[] = []
    let bytes = MAX_ATTACHMENT_BYTES
    for (const one of attachments) {
      const file = await load(one, stepFiles, { bytes, ms: timeoutMs - (performance.now() - startedAt) })
      if ('error' in file) return file
      bytes -= file.content.length
      if (bytes < 0) return { error: `The attachments have more than ${MAX_ATTACHMENT_BYTES} bytes in all.` }
      files.push(file)
    }
    return files
  }

  return {
    with(environmentId, attachments, stepFiles, send) {
      const load = () => loadAll(attachments, stepFiles)
      if (!attachments.some(({ url }) => url !== null)) return send(load)
      return slots.run(environmentId, async () => {
        const files = await load()
        return send(async () => files)
      })
    },
  }
}
