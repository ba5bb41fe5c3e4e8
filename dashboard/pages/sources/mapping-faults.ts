// Reports the faults that the server found in mappings, so that each can be shown at its field.

import type { ErrorDetail } from '../../../contract/errors.ts'
import { ApiFailure } from '../../api/client.ts'
import { InvalidInput } from '../../lib/invalid-input.ts'

/** Each path is that of a field, such as `mappings[2].userIdPath`. */
export class MappingFaults extends Event {
  readonly faults: readonly ErrorDetail[]

  constructor(faults: readonly ErrorDetail[]) {
    super('mapping-faults', { bubbles: true })
    this.faults = faults
  }
}

/** Sends mappings. @throws InvalidInput for faults at fields, after they are reported from `host`; else what `send` throws. */
export async function reportFaults<T>(host: EventTarget, send: () => Promise<T>): Promise<T> {
  try {
    const answer = await send()
    host.dispatchEvent(new MappingFaults([]))
    return answer
  } catch (error) {
    const details = error instanceof ApiFailure ? (error.body.details ?? []) : []
    const atFields = details.filter(({ path }) => path.startsWith('mappings['))
    if (atFields.length === 0 || atFields.length < details.length) throw error
    host.dispatchEvent(new MappingFaults(atFields))
    const one = atFields.length === 1
    throw new InvalidInput(
      `${one ? 'A field' : `${atFields.length} fields`} of the mappings cannot be taken: see there.`,
      {
        cause: error,
      },
    )
  }
}
