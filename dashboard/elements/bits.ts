// Renders small parts that many pages share: times, ids with a copy button, and rows of facts.

import { html, nothing, type TemplateResult } from 'lit'
import { formatFullTime, formatTime } from '../lib/format.ts'
import { icon } from './icon.ts'
import './moment.ts'

/** A moment, with its full form as the title. */
export function time(iso: string | null): TemplateResult {
  if (iso === null) return html`<span class="none">–</span>`
  return html`<time datetime=${iso} title=${formatFullTime(iso)}>${formatTime(iso)}</time>`
}

/** How long ago a moment was, with the exact time on hover and focus. */
export function age(iso: string): TemplateResult {
  return html`<nc-moment .at=${iso}></nc-moment>`
}

/** An id that can be copied. @param name What it identifies, for the label of the button. @param shown A shorter form. */
export function copyable(text: string, name: string, shown = text): TemplateResult {
  return html`<span class="copyable"
    ><code title=${shown === text ? nothing : text}>${shown}</code
    ><button type="button" class="icon-button" aria-label=${`Copy ${name}`} title=${`Copy ${name}`} @click=${copyText(text)}>
      ${icon('copy')}
    </button></span
  >`
}

/** @returns A handler of a click: copies the text, and marks the button as done for a moment; else selects the text. */
export function copyText(text: string): (event: Event) => Promise<void> {
  return async ({ currentTarget }) => {
    const button = currentTarget as HTMLElement
    try {
      // Pages without HTTPS have no clipboard, except on the own machine.
      await navigator.clipboard.writeText(text)
    } catch {
      offerText(button, text)
      return
    }
    button.dataset.done = ''
    setTimeout(() => delete button.dataset.done, 1500)
  }
}

/** Shows the text selected below the button, until the focus leaves it. */
function offerText(button: HTMLElement, text: string): void {
  const place = document.createElement('div')
  place.className = 'copy-by-hand'
  const note = document.createElement('p')
  note.className = 'hint'
  note.setAttribute('role', 'status')
  note.textContent = 'This browser did not copy it. The text is selected: press Ctrl+C, or ⌘C on a Mac.'
  const field = document.createElement('textarea')
  field.className = 'input mono'
  field.readOnly = true
  field.rows = Math.min(6, text.trimEnd().split('\n').length + 1)
  field.value = text
  field.setAttribute('aria-label', 'Text to copy')
  field.addEventListener('blur', () => place.remove())
  place.append(note, field)
  button.parentElement?.append(place)
  field.select()
}

/** A name with its id as a note; the id alone where it has no name. @param href The page of what is named. */
export function named(name: string | null, id: string, href?: string): TemplateResult {
  const shown = name ?? id
  const note = name === null || name === id ? nothing : html` <span class="cell-note">${id}</span>`
  return html`${href === undefined ? shown : html`<a class="link" href=${href}>${shown}</a>`}${note}`
}

export type Fact = readonly [name: string, value: unknown]

/** A list of names and values; rows without a value are left out. */
export function facts(rows: readonly Fact[]): TemplateResult {
  const given = rows.filter(([, value]) => value !== null && value !== undefined)
  return html`<dl class="facts">
    ${given.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`
}

/** Steps that a person takes one after the other. */
export function stepList(steps: readonly string[]): TemplateResult {
  return html`<ol class="step-list">${steps.map((step) => html`<li>${step}</li>`)}</ol>`
}

/** JSON as text, in a region that the keyboard can scroll. */
export function jsonView(value: unknown, label: string): TemplateResult {
  return html`<pre class="json" tabindex="0" role="region" aria-label=${label}><code>${JSON.stringify(value, null, 2)}</code></pre>`
}

/** The heading of a page, which takes the focus after a navigation. */
export function pageHead(title: string, text: unknown = nothing, actions: unknown = nothing): TemplateResult {
  return html`<header class="page-head">
    <div class="page-title">
      <h1 tabindex="-1">${title}</h1>
      ${text === nothing ? nothing : html`<p class="page-text">${text}</p>`}
    </div>
    ${actions === nothing ? nothing : html`<div class="page-actions">${actions}</div>`}
  </header>`
}
