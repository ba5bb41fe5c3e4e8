// The report of `debug` on the page: a foldable panel at its foot, with a button that copies it as text. Plain DOM, and English: it speaks to developers.

import { element } from '../../lib/dom.ts'
import { adopt } from '../../lib/sheet.ts'
import { debugStyles } from './debug.styles.ts'
import type { Finding } from './finding.ts'
import { clock, describe, headline, type Known, type Section } from './report.ts'
import type { TraceLine } from './trace.ts'

export interface DebugPanel {
  show(known: Known, text: string): void
  /** Folded, or on a page that nobody sees: nothing needs to be kept true. */
  isOpen(): boolean
  destroy(): void
}

/** `place`: how many panels of other elements stand below. */
export function createDebugPanel(shadow: ShadowRoot, root: HTMLElement, place: number): DebugPanel {
  adopt(shadow, debugStyles())
  const light = element('span', { class: 'debug-light', 'aria-hidden': 'true' })
  const title = element('span')
  const said = element('span', { class: 'debug-said', role: 'status' })
  const copy = element('button', { type: 'button', class: 'debug-copy' }, 'Copy as text')
  const byHand = element('textarea', { readonly: '', hidden: '', 'aria-label': 'The report as text' })
  const findings = element('ul', { 'aria-label': 'What to look at' })
  const sections = element('div')
  const lines = element('ol', { 'aria-label': 'Events' })
  const bar = element('div', { class: 'debug-bar' }, copy, said)
  const scroll = element(
    'div',
    { class: 'debug-scroll', tabindex: '0', role: 'group', 'aria-label': 'Report' },
    bar,
    byHand,
    findings,
    sections,
    element('h3', {}, 'The last events, newest first'),
    lines,
  )
  const folding = element('details', { open: '', lang: 'en', dir: 'ltr' }, element('summary', {}, light, title), scroll)
  const height = ['', 'second', 'third'][Math.min(place, 2)]
  const panel = element(
    'section',
    { class: `debug ${height}`, popover: 'manual', 'aria-label': 'Debug of the notification center' },
    folding,
  )
  root.append(panel)
  let text = ''

  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text)
      byHand.hidden = true
      said.textContent = 'Copied.'
    } catch {
      // No secure context, or no leave: by hand.
      byHand.value = text
      byHand.hidden = false
      byHand.focus()
      byHand.select()
      said.textContent = 'Copy it from the field.'
    }
  })

  return {
    isOpen: () => folding.open && document.visibilityState === 'visible',
    show: (known, newText) => {
      text = newText
      // An element that was moved within the page comes out of the top layer.
      if (panel.isConnected && !panel.matches(':popover-open')) panel.showPopover()
      const weights = known.findings.map(({ weight }) => weight)
      light.className = `debug-light ${weights.includes('error') ? 'error' : (weights[0] ?? '')}`
      put(title, `notification-center: ${headline(known)}`)
      if (!folding.open) return
      drawFindings(findings, known.findings)
      drawSections(sections, describe(known))
      drawLines(lines, known.lines)
    },
    destroy: () => panel.remove(),
  }
}

/** What is selected stays selected where nothing changed. */
function put(node: Element | null | undefined, text: string): void {
  if (node !== null && node !== undefined && node.textContent !== text) node.textContent = text
}

function drawFindings(list: HTMLElement, findings: Finding[]): void {
  const said = findings.map(({ what, todo }) => what + todo).join()
  if (list.dataset.said === said) return
  list.dataset.said = said
  list.hidden = findings.length === 0
  list.replaceChildren(
    ...findings.map(({ weight, what, todo }) =>
      element('li', { class: `debug-finding ${weight}` }, element('p', {}, what), element('p', {}, todo)),
    ),
  )
}

function drawSections(place: HTMLElement, sections: Section[]): void {
  const form = sections.map(({ title, rows }) => [title, ...rows.map(([label]) => label)].join()).join()
  if (place.dataset.form !== form) {
    place.dataset.form = form
    place.replaceChildren(
      ...sections.flatMap(({ title, rows }) => [
        element('h3', {}, title),
        element('dl', {}, ...rows.flatMap(([label]) => [element('dt', {}, label), element('dd')])),
      ]),
    )
  }
  const cells = place.querySelectorAll('dd')
  for (const [at, [, value]] of sections.flatMap(({ rows }) => rows).entries()) put(cells[at], value)
}

function drawLines(list: HTMLElement, lines: readonly TraceLine[]): void {
  const texts = lines.map(({ at, text }) => `${clock(at)} ${text}`).reverse()
  while (list.children.length > texts.length) list.lastElementChild?.remove()
  while (list.children.length < texts.length) list.append(element('li'))
  for (const [at, text] of texts.entries()) put(list.children[at], text)
}
