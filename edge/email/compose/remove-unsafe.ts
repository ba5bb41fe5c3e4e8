// Removes elements and addresses that no mail may have, whoever wrote them: step, layout or value.

import { createLinkCheck } from '../../lib/html-addresses.ts'
import { decodeReferences, readMarkup, replaceAttributes } from '../../lib/markup.ts'
import type { StyleFault } from './inline-styles.ts'

/** They run code, show another page, or change addresses after they were checked. */
const NAMES = 'script object embed applet iframe frame frameset portal animate animatemotion animatetransform set'
const FORBIDDEN: ReadonlySet<string> = new Set(NAMES.split(' '))
/** A tag of them, or of a `<meta>`, where no reader has divided the markup. */
const TAG = new RegExp(`</?(${NAMES.replaceAll(' ', '|')}|meta)\\b`, 'gi')
const REFRESH = /\bhttp-equiv\s*=["'\s]*refresh\b/i
const SCRIPT_END = /<\/script\s*>/gi
/** Stands for what was removed, so that what stood around it never makes another tag: `<scr<set>ipt>`. */
const IN_PLACE = ' '
const MAX_FAULTS = 20

/** @returns the page without them, and a fault for each, with its place in the page that is returned */
export function removeUnsafe(html: string, schemes: readonly string[]): { html: string; faults: StyleFault[] } {
  const faults: StyleFault[] = []
  let kept = ''
  const note = (what: string, at = kept.length) => {
    if (faults.length < MAX_FAULTS) faults.push({ message: `No mail may have this, so it was removed: ${what}.`, at })
  }
  const check = createLinkCheck(schemes, (link) => note(`the address ${link.slice(0, 100)}`))
  const keep = (text: string) => {
    let safe = ''
    let at = 0
    for (const { name, start, end } of listUnsafeTags(text)) {
      safe += text.slice(at, start) + IN_PLACE
      note(`<${name}>`, kept.length + safe.length)
      at = end
    }
    kept += check(safe + text.slice(at))
  }
  let isScript = false
  const end = readMarkup(html, ({ kind, written, name, attributes }) => {
    const element = name.toLowerCase()
    const isOut = FORBIDDEN.has(element) || (element === 'meta' && refreshes(attributes))
    if (isOut) kept += IN_PLACE
    if (isOut && kind === 'start') note(`<${element}>`)
    else if (kind === 'other') keep(written)
    else if (!isOut && !isScript) kept += kind === 'start' ? check(written) : written
    isScript = kind === 'start' && element === 'script'
  })
  keep(html.slice(end))
  return { html: kept, faults }
}

/** Finds the tags in comments, which Outlook reads, and behind markup that programs read in different ways. Reads each place once. */
function* listUnsafeTags(text: string): Generator<{ name: string; start: number; end: number }> {
  let scriptEnds = true
  TAG.lastIndex = 0
  for (let found = TAG.exec(text); found !== null; found = TAG.exec(text)) {
    const name = found[1]?.toLowerCase() ?? ''
    const close = text.indexOf('>', TAG.lastIndex)
    if (close === -1) return
    let end = close + 1
    if (name === 'script' && !found[0].startsWith('</') && scriptEnds) {
      SCRIPT_END.lastIndex = end
      scriptEnds = SCRIPT_END.test(text)
      if (scriptEnds) end = SCRIPT_END.lastIndex
    }
    if (name !== 'meta' || REFRESH.test(text.slice(found.index, end))) yield { name, start: found.index, end }
    TAG.lastIndex = end
  }
}

function refreshes(attributes: string): boolean {
  let isRefresh = false
  replaceAttributes(attributes, (name, value) => {
    if (name === 'http-equiv') isRefresh ||= decodeReferences(value).trim().toLowerCase() === 'refresh'
    return undefined
  })
  return isRefresh
}
