// Refuses a trial whose draft does not render with its data.

import type { Later } from '../../campaign/evaluator.ts'
import { TemplateError } from '../../campaign/expression/template.ts'
import { ApiError } from '../../lib/api-error.ts'

/** @throws `request/invalid-body` for a template that fails: the definition was accepted, so this data does not fit it */
export async function refusing<T>(path: string, evaluate: () => Later<T>): Promise<T> {
  try {
    return await evaluate()
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const message = 'The draft does not render with this data.'
    throw new ApiError('request/invalid-body', { message, details: [{ path, message: error.message }] })
  }
}
