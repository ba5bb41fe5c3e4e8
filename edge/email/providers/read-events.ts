// Reads the events of a provider's webhook by one rule for all providers: a list of events, or one event.

import type { MailReport } from '../../domain/mail/mail-provider.ts'
import { ApiError } from '../../lib/api-error.ts'
import { type Fields, fieldsOf, textOf } from '../../lib/webhook-body.ts'

/** The events that mean something here, and how many others there are. */
export interface ReadEvents {
  ok: true
  reports: MailReport[]
  ignored: number
}

/**
 * Reads a list of events, or one event. An event that means nothing here is counted as ignored, and the others take effect.
 * @param nameOf returns the field with the event's type
 * @param toReport returns undefined for an event that means nothing here; `place` is its place in the list
 * @throws ApiError `request/invalid-body` for what is neither a list nor an object that names its type
 */
export function readEvents(
  body: unknown,
  nameOf: (event: Fields) => unknown,
  toReport: (event: Fields, place: number) => MailReport | undefined,
): ReadEvents {
  const isList = Array.isArray(body)
  if (!isList && textOf(nameOf(fieldsOf(body))) === null) {
    throw new ApiError('request/invalid-body', {
      message: 'The body is neither a list of events nor an event with a type.',
    })
  }
  const events: unknown[] = isList ? body : [body]
  const reports = events.flatMap((event, place) => toReport(fieldsOf(event), place) ?? [])
  return { ok: true, reports, ignored: events.length - reports.length }
}

/** @returns the id of an event in a list that has one id: the id itself for the first event, the same in a repeated call */
export const idAt = (id: string, place: number) => (place === 0 ? id : `${id} ${place}`)
