// Checks translations and snippets in a sandbox: a file has thousands of messages, and is written by a customer.

import type { ErrorDetail } from '../../contract/errors.ts'
import { TemplateError } from '../campaign/expression/template.ts'
import type { TextsToCheck } from '../campaign/text-faults.ts'
import type { Sandbox } from './sandbox.ts'

/** Of one task: 8,192 characters of the slowest messages take 0.3 s of the second that a task has. */
const PART = { messages: 200, chars: 8192 }

/**
 * Creates the check of texts of an environment. It returns their faults; what ends its process has the fault that it did.
 * It throws BusyError when too much work of the environment waits.
 */
export function createCheckTexts(sandbox: Sandbox) {
  return async function checkTexts(environmentId: number, texts: TextsToCheck): Promise<ErrorDetail[]> {
    const faults: ErrorDetail[] = []
    for (const part of partsOf(texts)) {
      try {
        faults.push(...(await sandbox.run(environmentId, 'check-texts', part)))
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error
        const [first] = 'messages' in part ? part.messages : []
        faults.push({ path: first?.[0] ?? 'source', message: error.message })
      }
    }
    return faults
  }
}

function partsOf(texts: TextsToCheck): TextsToCheck[] {
  if ('snippet' in texts) return [texts]
  const parts: { messages: [string, string][] }[] = []
  let part: (typeof parts)[number] | undefined
  let chars = 0
  for (const entry of texts.messages) {
    if (part === undefined || part.messages.length === PART.messages || chars + entry[1].length > PART.chars) {
      part = { messages: [] }
      parts.push(part)
      chars = 0
    }
    part.messages.push(entry)
    chars += entry[1].length
  }
  return parts
}
