// Stands in for `lit` in the built parts (vite.config.ts): exports what provide-lit.ts provides.

import type { ProvidedLit } from './provide-lit.ts'

declare const __VERSION__: string

const provided = Reflect.get(globalThis, Symbol.for(`notification-center@${__VERSION__}`)) as ProvidedLit
if (provided instanceof Error) throw provided

export const { LitElement, html, css, render, nothing, noChange, _$LH } = provided
