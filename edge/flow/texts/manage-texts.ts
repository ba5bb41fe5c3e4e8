// Manages the texts that campaigns share: translations by locale, and snippets.

import type { Page } from '../../../contract/api.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import {
  type Snippet,
  type SnippetContent,
  type SnippetSummary,
  type Translation,
  type TranslationSummary,
  translation,
} from '../../../contract/resources/text.ts'
import type { TextsToCheck } from '../../campaign/text-faults.ts'
import type { AuditEntry, ChangedBy } from '../../domain/audit.ts'
import type { TextFile, TextSection } from '../../domain/campaign-texts.ts'
import type { Core } from '../../domain/core.ts'
import { isKnownLocale, languageTag } from '../../domain/tenant/locale-tags.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { cutPage, type PageQuery } from '../../lib/cut-page.ts'
import { createTimeSlices } from '../../lib/time-slices.ts'
import { hasMessage, openTexts, readTexts } from './open-texts.ts'
import { findSnippetFaults, MAX_FAULTS, parseMessages, TEXT_LIMITS } from './parse-texts.ts'

/** @returns the faults of texts, which a customer wrote */
export type CheckTexts = (environmentId: number, texts: TextsToCheck) => Promise<ErrorDetail[]>

type Taken = Pick<Core, 'textFiles' | 'clock' | 'environments' | 'organisations'> & {
  checkTexts: CheckTexts
  /** Ends the requests to publish that wait with former texts. */
  endChanged(environmentId: number, by: ChangedBy): Promise<void>
}

export type ManageTexts = ReturnType<typeof createManageTexts>

/** Published versions of campaigns keep the texts that they have. */
export function createManageTexts(deps: Taken) {
  return { translations: manageTranslations(deps), snippets: manageSnippets(deps) }
}

function manageTranslations(deps: Taken) {
  const { get, save, remove } = manageFiles(deps, 'translations')
  return {
    /** Lists locales, the newest first, each with what it lacks of the default locale. */
    async list(environmentId: number, query: PageQuery): Promise<Page<TranslationSummary>> {
      const open = await readTexts(deps, environmentId)
      const files = open.files.filter(({ section }) => section === 'translations')
      const wanted = [...(open.messages.get(open.defaultLocale ?? '')?.keys() ?? [])]
      const missingOf = new Map<string, { missingCount: number; missing: string[] }>()
      const endSlice = createTimeSlices()
      for (const { name } of files) {
        const missing = wanted.filter((key) => !hasMessage(open, name, key))
        missingOf.set(name, { missingCount: missing.length, missing: missing.slice(0, SHOWN_MISSING) })
        await endSlice()
      }
      return pageOf('translations', environmentId, query, files, ({ name: locale, ...file }) => ({
        ...{ locale, isDefault: locale === open.defaultLocale, keys: open.messages.get(locale)?.size ?? 0 },
        ...(missingOf.get(locale) ?? { missingCount: 0, missing: [] }),
        ...timesOf(file),
      }))
    },

    /** Throws `text/not-found`. */
    get: async (environmentId: number, locale: string) =>
      toTranslation(await get(environmentId, languageTag(locale) ?? '')),

    /** Adds the messages of a locale or replaces them as a whole. Throws `request/invalid-body`. */
    async put(environmentId: number, written: string, input: unknown, by: ChangedBy): Promise<Translation> {
      const locale = isKnownLocale(written) ? languageTag(written) : undefined
      // An answer can be sent back.
      const answered = translation.strict().safeParse(input)
      const { messages, faults } = parseMessages(answered.success ? answered.data.messages : input)
      if (locale === undefined) faults.unshift({ path: 'locale', message: LOCALE_RULE })
      refuse(faults)
      refuse(await deps.checkTexts(environmentId, { messages: [...messages] }))
      const content = JSON.stringify(Object.fromEntries(messages))
      return toTranslation(await save(environmentId, locale ?? '', content, { keys: messages.size }, by))
    },

    /** Throws `text/not-found`. */
    remove: (environmentId: number, locale: string, by: ChangedBy) =>
      remove(environmentId, languageTag(locale) ?? '', by),
  }
}

function manageSnippets(deps: Taken) {
  const { get, save, remove } = manageFiles(deps, 'snippets')
  return {
    async list(environmentId: number, query: PageQuery): Promise<Page<SnippetSummary>> {
      const files = (await deps.textFiles.list(environmentId)).filter(({ section }) => section === 'snippets')
      return pageOf('snippets', environmentId, query, files, ({ name, content, ...file }) => ({
        name,
        chars: (JSON.parse(content) as string).length,
        ...timesOf(file),
      }))
    },

    /** Throws `text/not-found`. */
    get: async (environmentId: number, name: string) => toSnippet(await get(environmentId, name)),

    /** Adds a snippet or replaces it as a whole. Throws `request/invalid-body`, also for a cycle. */
    async put(environmentId: number, name: string, { source }: SnippetContent, by: ChangedBy): Promise<Snippet> {
      refuse(await deps.checkTexts(environmentId, { snippet: source }))
      const { snippets } = openTexts(await deps.textFiles.list(environmentId), null)
      refuse(findSnippetFaults(name, new Map(snippets).set(name, source)))
      return toSnippet(await save(environmentId, name, JSON.stringify(source), { chars: source.length }, by))
    },

    /** Throws `text/not-found`. A campaign that renders it cannot be published until there is one of this name again. */
    remove,
  }
}

/** Reads and writes files of one section. */
function manageFiles({ textFiles, clock, endChanged }: Taken, section: TextSection) {
  const noun = section === 'snippets' ? 'snippet' : 'translation'
  const auditOf = (
    environmentId: number,
    subject: string,
    verb: string,
    by: ChangedBy,
    detail: AuditEntry['detail'],
  ) => ({
    ...{ at: clock.now(), ...by, action: `${noun}.${verb}`, environmentId, subject },
    detail,
  })
  return {
    async get(environmentId: number, name: string): Promise<TextFile> {
      const file = await textFiles.find(environmentId, section, name)
      if (file === undefined) throw new ApiError('text/not-found')
      return file
    },
    async save(environmentId: number, name: string, content: string, detail: AuditEntry['detail'], by: ChangedBy) {
      const files = await textFiles.list(environmentId)
      checkSize([...files.filter((one) => one.section !== section || one.name !== name), { content }])
      const now = clock.now()
      const file = { environmentId, section, name, content, createdAt: now, updatedAt: now }
      const saved = await textFiles.save(file, auditOf(environmentId, name, 'put', by, detail))
      await endChanged(environmentId, by)
      return saved
    },
    async remove(environmentId: number, name: string, by: ChangedBy): Promise<{ deleted: true }> {
      const entry = auditOf(environmentId, name, 'delete', by, {})
      if (!(await textFiles.remove(environmentId, section, name, entry))) throw new ApiError('text/not-found')
      await endChanged(environmentId, by)
      return { deleted: true }
    },
  }
}

const LOCALE_RULE = 'This is no locale, such as fr or fr-CA.'
const SHOWN_MISSING = 20

/** @throws `request/invalid-body` when there are faults */
function refuse(faults: ErrorDetail[]): void {
  if (faults.length > 0) throw new ApiError('request/invalid-body', { details: faults.slice(0, MAX_FAULTS) })
}

/** @throws `request/invalid-body` when an environment has more texts than it may have */
function checkSize(files: readonly { content: string }[]): void {
  const chars = files.reduce((sum, { content }) => sum + content.length, 0)
  const { files: most, allChars } = TEXT_LIMITS
  if (files.length > most) refuse([{ path: '', message: `An environment has at most ${most} locales and snippets.` }])
  if (chars > allChars)
    refuse([{ path: '', message: `The texts of an environment have at most ${allChars} characters.` }])
}

/** Newest first. */
function pageOf<T>(
  list: string,
  environmentId: number,
  query: PageQuery,
  files: readonly TextFile[],
  toItem: (file: TextFile) => T,
): Page<T> {
  const newest = files.toSorted((one, other) => other.createdAt - one.createdAt)
  return cutPage({ list, of: environmentId }, newest.map(toItem), query)
}

const timesOf = ({ createdAt, updatedAt }: Pick<TextFile, 'createdAt' | 'updatedAt'>) => ({
  createdAt: toIso(createdAt),
  updatedAt: toIso(updatedAt),
})

function toTranslation({ name, content, ...file }: TextFile): Translation {
  return { locale: name, messages: JSON.parse(content) as Record<string, string>, ...timesOf(file) }
}

function toSnippet({ name, content, ...file }: TextFile): Snippet {
  return { name, source: JSON.parse(content) as string, ...timesOf(file) }
}
