// Completes known paths in code: in CEL anywhere, in templates after `{{`.

import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { KnownPath } from '../form-context.ts'
import { exampleOf, findTyped, readablePaths } from '../template-completion.ts'
import type { CodeLanguage } from './languages.ts'

const PATH = /[\w.]*/

export function completePaths(language: CodeLanguage, known: () => readonly KnownPath[]) {
  const optionsOf = (write: (path: string) => string) =>
    readablePaths(known()).map((one) => {
      const detail = exampleOf(one) ?? one.types.join(', ')
      return { label: one.path, apply: write(one.path), detail }
    })

  return (context: CompletionContext): CompletionResult | null => {
    if (language === 'cel') {
      const word = context.matchBefore(PATH)
      if (word === null || (word.from === word.to && !context.explicit)) return null
      return { from: word.from, options: optionsOf((path) => path), validFor: /^[\w.]*$/ }
    }
    const line = context.state.doc.lineAt(context.pos)
    const typed = findTyped(line.text, context.pos - line.from)
    if (typed === undefined) return null
    const from = context.pos - typed.typed.length
    const hasSpace = /\s$/.test(context.state.sliceDoc(line.from + typed.from, from))
    const isClosed = /^\s*-?\}\}/.test(context.state.sliceDoc(context.pos, line.to))
    const write = (path: string) => `${hasSpace ? '' : ' '}${path}${isClosed ? '' : ' }}'}`
    return { from, options: optionsOf(write), validFor: /^[\w.]*$/ }
  }
}
