// The enrichers of one client: by name, each with its compiled schema (specification 2.6).

import { compileSchema, type Validate } from '../schemas/compile.ts'
import { EnricherRegistrationError } from './errors.ts'

/** What a handler is told beside its params. */
export interface EnricherContext {
  name: string
  /** The same for each attempt of one call, so that a repeat can be known. */
  id: string
  /** As campaigns see them: `user.id`, `user.locale`, …; `event.name`, `event.properties`, … */
  user: Record<string, unknown>
  event: Record<string, unknown>
  sentAt: Date
  /** Aborted when the request was given up, where the framework tells. */
  signal: AbortSignal | undefined
}

/** Answers what is put into the campaign: anything that JSON can hold. */
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

    /** Throws EnricherRegistrationError. */
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
