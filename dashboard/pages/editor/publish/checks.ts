// Checks a draft before it is published: what the service refuses are errors, what cannot be meant are warnings.

import type { ErrorDetail } from '../../../../contract/errors.ts'
import type { MailWarning } from '../../../../contract/resources/mail.ts'
import type { TriedDoubts } from '../../../../contract/resources/tried-doubt.ts'
import type { MailWay } from '../../../../contract/tenant.ts'
import { type Draft, formatPath, type Path, walkSteps } from '../../../editor/step-tree.ts'
import { deadLinksOf } from './dead-links.ts'
import { missingTextsOf } from './missing-texts.ts'
import { placeOfPath } from './place-words.ts'

export interface Check {
  /** An error keeps the draft from being published. */
  kind: 'error' | 'warning'
  words: string
  /** Where it is mended in the draft; undefined: elsewhere. */
  path?: Path
  stepId?: string
  /** A page where it is mended. */
  page?: 'integrations' | 'config'
}

/** What is known beside the draft; undefined is not known, and nothing is said of it. */
export interface CheckedWith {
  draft: Draft
  faults: readonly ErrorDetail[]
  warnings: readonly MailWarning[]
  doubts: TriedDoubts
  way: MailWay | undefined
  /** Keys of the notification config. */
  categories: readonly string[] | undefined
  /** Where paths of mails begin. */
  siteUrl: string | null | undefined
}

/** @returns the errors first, each list in the order of the draft */
export function checksOf(known: CheckedWith): Check[] {
  const { draft, faults, warnings, doubts = [] } = known
  const errors = faults.map(({ path: text, message }): Check => {
    const { words, path, stepId } = placeOfPath(draft, text)
    return { kind: 'error', words: `${words}: ${message}`, path, ...(stepId !== undefined && { stepId }) }
  })
  const ofService = warnings.map(({ path: text, line, message }) => {
    const { words, path, stepId } = placeOfPath(draft, text)
    return warning(`${words}${line === null ? '' : `, line ${line}`}: ${message}`, path, stepId)
  })
  const ofTrial = doubts.map(({ message, example }) =>
    warning(`With the chosen event: ${message}${example === null ? '' : ` (${example})`}`),
  )
  return [...errors, ...ofSetting(known), ...ofDraft(known), ...ofService, ...ofTrial]
}

function warning(words: string, path?: Path, stepId?: string): Check {
  return { kind: 'warning', words, ...(path && { path }), ...(stepId !== undefined && { stepId }) }
}

function ofSetting({ draft, way, categories }: CheckedWith): Check[] {
  const found: Check[] = []
  const mail = walkSteps(draft).find(({ step }) => step.type === 'email')
  const id = mail === undefined ? undefined : String(mail.step.id)
  if (mail !== undefined && way === 'none')
    found.push({
      ...warning(`“${id}” sends no mail: the environment has no mail account.`, mail.path, id),
      page: 'integrations',
    })
  if (mail !== undefined && way === 'mailbox')
    found.push({
      ...warning(
        `Mails of “${id}” stay in the service, where you can read them: no mail account is connected.`,
        mail.path,
        id,
      ),
      page: 'integrations',
    })
  const { category } = draft
  if (typeof category === 'string' && categories !== undefined && !categories.includes(category))
    found.push({
      ...warning(`The category “${category}” is not in the notification config: users cannot switch it off.`, [
        'category',
      ]),
      page: 'config',
    })
  return found
}

function ofDraft({ draft, siteUrl }: CheckedWith): Check[] {
  const sends = walkSteps(draft).some(({ step }) => step.type === 'inbox' || step.type === 'email')
  const nothing = sends ? [] : [warning('The campaign sends no message.')]
  const texts = missingTextsOf(draft).map(({ words, path, stepId }) => warning(words, path, stepId))
  // A site that is not known yet is no missing one.
  const links = deadLinksOf(draft, siteUrl === undefined ? '' : siteUrl).map(({ link, why, path }) => {
    const place = placeOfPath(draft, formatPath(path))
    return warning(`${place.words}: the link “${link}” ${why}.`, path, place.stepId)
  })
  return [...nothing, ...texts, ...links]
}
