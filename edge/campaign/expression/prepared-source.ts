// Prepares the source of a template or snippet for its output: what values may be depends on where they stand.

import { boundAddresses } from './address-values.ts'
import { quoteAttributes } from './html-attributes.ts'
import { boundStyles } from './html-places.ts'
import type { OutputKind } from './liquid-markup.ts'

export const isHtml = (kind: OutputKind) => kind === 'html' || kind === 'layout'

/** @param isSnippet Whether a template renders it. @returns the source with quotation marks around printed attributes, and with the filters of styles and addresses */
export function prepareSource(written: string, kind: OutputKind, isSnippet = false): string {
  return boundAddresses(isHtml(kind) ? boundStyles(quoteAttributes(written)) : written, kind, isSnippet)
}
