// Stands in for `lit` and `lit/directive.js` in the built parts (vite.config.ts): exports what provide-lit.ts provides.

import type { ProvidedLit } from './provide-lit.ts'

declare const __VERSION__: string

const provided = Reflect.get(globalThis, Symbol.for(`notification-center@${__VERSION__}`)) as ProvidedLit
if (provided instanceof Error) throw provided

export const {
  LitElement,
  html,
  svg,
  css,
  render,
  unsafeCSS,
  nothing,
  noChange,
  Directive,
  directive,
  PartType,
  _$LH,
} = provided
