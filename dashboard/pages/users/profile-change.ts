// Compares a profile as it is typed with what was read: only what was changed is sent, so that other changes stay.

import type { ErrorDetail } from '../../../contract/errors.ts'
import type { JsonObject } from '../../../contract/json.ts'
import type { UserAnswer } from '../../../contract/resources/user.ts'
import { ApiFailure } from '../../api/client.ts'
import { linesOf, textOf } from '../../elements/fields.ts'
import { InvalidInput } from '../../lib/invalid-input.ts'
import { parseJsonObject } from '../../lib/json-object.ts'

export const TEXTS = ['name', 'email', 'locale', 'timeZone'] as const

/** A profile, as a form has it. */
export type Profile = Pick<UserAnswer, (typeof TEXTS)[number] | 'attributes' | 'externalIds'>
type Name = keyof Profile
/** Null removes a field, or a key of attributes and external ids. */
export type ProfileChange = Partial<Record<Name, unknown>>

/** @throws InvalidInput for attributes that are no JSON object, and for a line that is no external id */
export function readProfile(form: FormData): Profile {
  const [name, email, locale, timeZone] = TEXTS.map((field) => textOf(form, field) || null)
  return {
    ...{ name: name ?? null, email: email ?? null, locale: locale ?? null, timeZone: timeZone ?? null },
    attributes: parseJsonObject(
      textOf(form, 'attributes'),
      'The attributes must be a JSON object, such as {"plan": "gold"}.',
    ),
    externalIds: Object.fromEntries(linesOf(form, 'externalIds').map(parseExternalId)),
  }
}

function parseExternalId(line: string): [system: string, id: string] {
  const [, system, id] = /^([^:\s]+)\s*:\s*(\S.*)$/.exec(line) ?? []
  if (system === undefined || id === undefined)
    throw new InvalidInput(`“${line}” has no system and id, such as stripe: cus_1.`)
  return [system, id]
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** @returns The fields that differ, and of attributes and external ids the keys that do. */
export function changeOf(before: Profile, after: Profile): ProfileChange {
  const texts = TEXTS.filter((field) => before[field] !== after[field]).map((field) => [field, after[field]])
  const maps = (['attributes', 'externalIds'] as const).flatMap((field) => {
    const change = changedKeys(before[field], after[field])
    return Object.keys(change).length === 0 ? [] : [[field, change]]
  })
  return Object.fromEntries([...texts, ...maps])
}

function changedKeys(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): JsonObject {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const entries = keys.filter((key) => !same(before[key], after[key])).map((key) => [key, after[key] ?? null] as const)
  return Object.fromEntries(entries) as JsonObject
}

/**
 * @param now As it is stored. @throws ApiFailure when another one has changed meanwhile what this change would replace, with
 * each such field
 */
export function refuseOverwriting(before: Profile, now: Profile, change: ProfileChange): void {
  const details = (Object.keys(change) as Name[])
    .filter((field) => isTouched(before[field], now[field], change[field]))
    .map((path): ErrorDetail => ({ path, message: 'It was changed meanwhile. Saving again replaces that.' }))
  if (details.length > 0)
    throw new ApiFailure(409, { message: 'This user was changed after you have opened the page.', details })
}

function isTouched(before: unknown, now: unknown, change: unknown): boolean {
  if (typeof change !== 'object' || change === null) return !same(before, now)
  const [was, is] = [before as Record<string, unknown>, now as Record<string, unknown>]
  return Object.keys(change).some((key) => !same(was[key], is[key]))
}
