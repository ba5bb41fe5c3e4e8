// Calls that send and run again: one message, one event, one run, and all of a filter.

import type { AgainFrom, AgainVersion } from '../../contract/again.ts'
import type { Page } from '../../contract/api.ts'
import type { AgainAnswer, EventAgainAnswer } from '../../contract/resources/again.ts'
import type { AgainJobAnswer, AgainJobInput, BegunAgainAnswer } from '../../contract/resources/again-job.ts'
import type { ApiClient } from './client.ts'

export function againOf(client: ApiClient, at: (...parts: string[]) => string) {
  return {
    sendAgain: (messageId: string, body: { version: AgainVersion; idempotencyKey: string }) =>
      client.send<AgainAnswer>('POST', at('deliveries', messageId, 'send-again'), body),
    sendToMe: (messageId: string, body: { version: AgainVersion; userId: string }) =>
      client.send<AgainAnswer>('POST', at('deliveries', messageId, 'send-to-me'), body),
    runAgain: (runId: string, body: { from: AgainFrom; version: AgainVersion; idempotencyKey: string }) =>
      client.send<AgainAnswer>('POST', at('runs', runId, 'run-again'), body),
    runEventAgain: (eventId: string, body: { idempotencyKey: string }) =>
      client.send<EventAgainAnswer>('POST', at('events', eventId, 'run-again'), body),
    beginAgain: (body: AgainJobInput) => client.send<BegunAgainAnswer>('POST', at('again'), body),
    againJobs: (signal?: AbortSignal) => client.get<Page<AgainJobAnswer>>(at('again'), { limit: 1 }, signal),
    againJob: (jobId: string, signal?: AbortSignal) => client.get<AgainJobAnswer>(at('again', jobId), {}, signal),
    stopAgain: (jobId: string) => client.send<AgainJobAnswer>('POST', at('again', jobId, 'stop')),
  }
}
