// Finds the faults of translations and snippets, by the code that prints them.

import type { ErrorDetail } from '../../contract/errors.ts'
import { findAddressFaults } from './expression/address-values.ts'
import { findHtmlFault } from './expression/liquid-snippets.ts'
import { compileTemplate } from './expression/template.ts'
import { findMessageFault } from './expression/translation.ts'

export type TextsToCheck =
  /** Messages by their keys. */
  | { messages: [key: string, message: string][] }
  /** The source of a snippet. */
  | { snippet: string }

/** @returns all faults: of messages with their keys, of a snippet with the place in its source */
export function findTextFaults(texts: TextsToCheck): ErrorDetail[] {
  if ('snippet' in texts) return findSnippetFaults(texts.snippet)
  return texts.messages.flatMap(([path, source]) => {
    const message = findMessageFault(source)
    return message === undefined ? [] : [{ path, message }]
  })
}

/** Returns the first fault: a snippet is rendered in texts of each kind. */
function findSnippetFaults(source: string): ErrorDetail[] {
  const faults = (['html', 'markdown', 'text'] as const).flatMap((kind) => {
    const compiled = compileTemplate(source, kind)
    return 'fault' in compiled ? [compiled.fault] : findAddressFaults(source, kind)
  })
  const fault = faults[0] ?? findHtmlFault(source)
  return fault === undefined ? [] : [{ path: 'source', ...fault }]
}
