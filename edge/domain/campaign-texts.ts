// Describes the texts of an environment that campaigns share: translations by locale, and snippets of templates.

import type { AuditEntry } from './audit.ts'

export type TextSection = 'translations' | 'snippets'

/** One file: the translations of a locale, or the source of a snippet. */
export interface TextFile {
  environmentId: number
  section: TextSection
  /** Of translations a tag, such as `pt-BR`. */
  name: string
  /** JSON: an object of messages by key, or a text. */
  content: string
  createdAt: number
  updatedAt: number
}

/** The texts that one version of a campaign uses, as they were when it was published. */
export interface CampaignTexts {
  /** Messages by key, by tag in lower case. */
  translations: Record<string, Record<string, string>>
  /** The default locale, whose messages stand in for missing ones; null: there are no translations. */
  fallback: string | null
  /** Sources by name. */
  snippets: Record<string, string>
  /** Whether it prints a translation whose key only a run knows: all messages are among its texts then. */
  isOpen: boolean
}

export interface TextFiles {
  /** Adds the file, or replaces its content. @returns the file as it is stored */
  save(file: TextFile, audit: AuditEntry): Promise<TextFile>
  remove(environmentId: number, section: TextSection, name: string, audit: AuditEntry): Promise<boolean>
  find(environmentId: number, section: TextSection, name: string): Promise<TextFile | undefined>
  /** All files of an environment by section and name; what they hold together is limited when they are saved. */
  list(environmentId: number): Promise<TextFile[]>
}
