// Colours code: JSON by its parser, CEL and Liquid in HTML or Markdown by their words.

import { json } from '@codemirror/lang-json'
import { StreamLanguage, type StreamParser, type StringStream } from '@codemirror/language'
import type { Extension } from '@codemirror/state'

export type CodeLanguage = 'json' | 'cel' | 'html' | 'markdown'

const CEL_WORDS = /^(?:true|false|null|in)\b/
const CEL: StreamParser<null> = {
  name: 'cel',
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null
    if (stream.match(/^"(?:[^"\\]|\\.)*"?|^'(?:[^'\\]|\\.)*'?/)) return 'string'
    if (stream.match(/^\d+(?:\.\d+)?/)) return 'number'
    if (stream.match(CEL_WORDS)) return 'keyword'
    if (stream.match(/^[A-Za-z_]\w*(?=\()/)) return 'variableName.function'
    if (stream.match(/^[A-Za-z_]\w*/)) return 'variableName'
    if (stream.match(/^(?:&&|\|\||[=!<>]=|[-+*/%<>!?:])/)) return 'operator'
    stream.next()
    return null
  },
}

interface LiquidState {
  inside: 'text' | 'output' | 'tag' | 'comment'
}

const LIQUID_TAG =
  /^(?:if|elsif|else|endif|unless|endunless|case|when|endcase|for|endfor|assign|capture|endcapture|render|comment|endcomment|and|or|contains|in|true|false|nil|blank|empty)\b/

function liquidToken(stream: StringStream, state: LiquidState): string | null {
  if (stream.match(/^-?(?:\}\}|%\})/)) {
    state.inside = 'text'
    return 'brace'
  }
  if (stream.eatSpace()) return null
  if (stream.match(/^"[^"]*"?|^'[^']*'?/)) return 'string'
  if (stream.match(/^\d+(?:\.\d+)?/)) return 'number'
  if (stream.match(LIQUID_TAG)) return 'keyword'
  if (stream.match(/^\|\s*[\w-]+/)) return 'variableName.function'
  if (stream.match(/^[A-Za-z_][\w.-]*/)) return 'variableName'
  stream.next()
  return null
}

function textToken(stream: StringStream, state: LiquidState, isHtml: boolean): string | null {
  const opened = stream.match(/^\{\{-?|^\{%-?/)
  if (opened) {
    state.inside = (opened as RegExpMatchArray)[0].startsWith('{{') ? 'output' : 'tag'
    return 'brace'
  }
  if (isHtml && stream.match('<!--')) {
    state.inside = 'comment'
    return 'comment'
  }
  if (isHtml && stream.match(/^<\/?[A-Za-z][\w-]*|^\/?>/)) return 'tagName'
  if (!isHtml && stream.sol() && stream.match(/^#{1,6} [^{]*|^(?:[-*+]|\d+\.) /)) return 'heading'
  if (!isHtml && stream.match(/^\*\*[^*{]+\*\*/)) return 'strong'
  if (!isHtml && stream.match(/^\[[^\]{]*\]\([^){]*\)?/)) return 'link'
  if (isHtml && stream.match(/^"[^"{<]*"/)) return 'string'
  stream.next()
  stream.eatWhile(/[^<{"*[/>]/)
  return null
}

function commentToken(stream: StringStream, state: LiquidState): string {
  if (stream.match(/^.*?-->/)) state.inside = 'text'
  else stream.skipToEnd()
  return 'comment'
}

const liquid = (isHtml: boolean): StreamParser<LiquidState> => ({
  name: isHtml ? 'liquid-html' : 'liquid-markdown',
  startState: () => ({ inside: 'text' }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.inside === 'comment') return commentToken(stream, state)
    return state.inside === 'text' ? textToken(stream, state, isHtml) : liquidToken(stream, state)
  },
})

/** @returns the extension of a language */
export function languageOf(language: CodeLanguage): Extension {
  if (language === 'json') return json()
  return StreamLanguage.define<unknown>(
    (language === 'cel' ? CEL : liquid(language === 'html')) as StreamParser<unknown>,
  )
}
