// Provides the Lit of the first script to the parts of the same version, which import it from provided-lit.ts in
// place of `lit` (docs/decisions/0035-widget-parts.md).

import { _$LH, css, html, LitElement, noChange, nothing, render } from 'lit'
import { litRefusal, restorePolicies } from './lib/lit-policy.ts'

declare const __VERSION__: string

const provided = {
  LitElement,
  html,
  css,
  render,
  nothing,
  noChange,
  _$LH,
}
export type ProvidedLit = typeof provided | Error

/**
 * Makes Lit available to the parts, or the reason why it cannot draw on this page. The first script of a version
 * wins, as it does for the tag.
 */
export function provideLit(): void {
  restorePolicies()
  const key = Symbol.for(`notification-center@${__VERSION__}`)
  if (!Reflect.has(globalThis, key)) Reflect.set(globalThis, key, litRefusal ?? provided)
}
