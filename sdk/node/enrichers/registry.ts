// Keeps the enrichers of one client by name, each with its compiled schema.

import { compileSchema, type Validate } from '../schemas/compile.ts'
import { EnricherRegistrationError } from './errors.ts'

/** What a handler receives beside its params. */
export interface EnricherContext {
  name: string
  /** Equal for each attempt of one call, so that a handler can recognise a repeat. */
  id: string
  /** The data of campaigns: `user.id`, `user.locale`, …; `event.name`, `event.properties`, … */
  user: Record<string, unknown>
  event: Record<string, unknown>
  sentAt: Date
  /** Aborts when the request was cancelled, where the framework reports it. */
  signal: AbortSignal | undefined
}

/** Returns the data for the campaign: any JSON value. */
export type EnricherHandler<Params> = (params: Params, context: EnricherContext) => unknown

export interface Registered {
  validate: Validate
  handle(params: unknown, context: EnricherContext): unknown
}

export type Registry = ReturnType<typeof createRegistry>

export function createRegistry() {
  const byName = new Map<string, Registered>()
  return {
    find: (name: string): Registered | undefined => byName.get(name),

    /** @throws EnricherRegistrationError */
    register(name: unknown, schema: unknown, handler: unknown): void {
      if (typeof name !== 'string' || name.trim() === '') {
        throw new EnricherRegistrationError('An enricher needs a name that is not empty.')
      }
      if (byName.has(name)) throw new EnricherRegistrationError(`The enricher "${name}" is registered already.`)
      if (typeof handler !== 'function') throw new EnricherRegistrationError(`The enricher "${name}" has no handler.`)
      const validate = compileSchema(name, schema)
      byName.set(name, { validate, handle: (params, context) => Reflect.apply(handler, undefined, [params, context]) })
    },
  }
}
