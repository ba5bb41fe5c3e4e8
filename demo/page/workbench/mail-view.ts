// Shows one mail: its head, and its HTML in a frame without scripts or its text.

import { backend, type EnvironmentName, explain, type MailAddress, type MailRow } from '../backend.ts'
import { h } from '../dom.ts'
import { segmented } from './who.ts'

/** As in the policy of the mail's document (backend/mail-document.ts). */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox'

export interface MailView {
  element: HTMLElement
  /** Moves the focus to the subject, from where a screen reader reads on. */
  focus(): void
}

export function createMailView(environment: EnvironmentName, mail: MailRow, close: () => void): MailView {
  const { messageId, from, to, subject, createdAt } = mail
  const path = backend.mailDocument(environment, messageId)
  const heading = h('h2', { tabindex: -1 }, subject)
  const body = h('div', { class: 'mail-body' }, h('p', { class: 'empty', role: 'status' }, 'Loading …'))
  const parts = segmented(
    'Part',
    'mail-part',
    [
      ['html', 'HTML'],
      ['text', 'Text'],
    ],
    'html',
    (value) => {
      for (const part of body.querySelectorAll<HTMLElement>('[data-part]')) part.hidden = part.dataset.part !== value
    },
  )
  parts.querySelector('legend')?.classList.add('sr')

  async function load(): Promise<void> {
    const answer = await backend.mail(environment, messageId)
    if (!answer.ok) {
      parts.disabled = true
      body.replaceChildren(h('p', { class: 'problem', role: 'alert' }, explain(answer)))
      return
    }
    const isText = parts.querySelector<HTMLInputElement>('input:checked')?.value === 'text'
    body.replaceChildren(
      h('iframe', { 'data-part': 'html', title: `Mail: ${subject}`, sandbox: SANDBOX, src: path, hidden: isText }),
      h('pre', { 'data-part': 'text', tabindex: 0, hidden: !isText }, answer.body.text),
    )
  }

  void load()
  return {
    element: h(
      'article',
      { class: 'mail-view', id: 'mail', 'aria-label': 'Mail' },
      h(
        'div',
        { class: 'mail-tools' },
        h('button', { class: 'button small', type: 'button', onclick: close }, 'Back'),
        parts,
        h('a', { href: path, target: '_blank', rel: 'noopener' }, 'Open in a tab'),
      ),
      heading,
      h(
        'dl',
        {},
        h('dt', {}, 'From'),
        h('dd', {}, h('span', {}, formatAddress(from)), h('time', { datetime: createdAt }, formatTime(createdAt))),
        h('dt', {}, 'To'),
        h('dd', {}, formatAddress(to)),
      ),
      body,
    ),
    focus: () => heading.focus(),
  }
}

function formatAddress({ name, address }: MailAddress): string {
  return name === null ? address : `${name} <${address}>`
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** Formats the time of today, else the day with it. */
export function formatTime(iso: string): string {
  const at = new Date(iso)
  const clock = CLOCK.format(at)
  return at.toDateString() === new Date().toDateString() ? clock : `${DAY.format(at)}, ${clock}`
}
