// Lists the mails that are kept because no mail server is set, newest first, and opens one.

import { backend, type EnvironmentName, explain, type MailRow } from '../backend.ts'
import { h } from '../dom.ts'
import { watchEntries } from '../journal.ts'
import type { Page } from '../state.ts'
import { createMailView, formatTime } from './mail-view.ts'

const EVERY_MS = 3000
/** Delay of the reload after an event was sent, in which its mail is made. */
const SOON_MS = 500

export interface MailPanel {
  element: HTMLElement
  shown(isShown: boolean): void
}

export function createMailPanel(page: Page): MailPanel {
  const note = h('p', { class: 'hint', role: 'status' })
  const problem = h('p', { class: 'problem', role: 'status' })
  const list = h('ol', { class: 'mails', id: 'mails', 'aria-label': 'Mails' })
  const empty = h('p', { class: 'empty' })
  const mailbox = h('div', { class: 'stack' }, note, problem, empty, list)
  const element = h('div', { class: 'mail-panel' }, mailbox)
  const rows = new Map<string, HTMLElement>()
  let environment: EnvironmentName | undefined
  let isShown = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let turn = 0

  async function load(): Promise<void> {
    turn += 1
    const mine = turn
    const asked = page.choice.get().environment
    const answer = await backend.mails(asked)
    if (mine !== turn) return
    put(problem, answer.ok ? '' : explain(answer))
    if (answer.ok) show(answer.body.data, asked)
    else empty.hidden = true
    schedule(EVERY_MS)
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    if (isShown && mailbox.isConnected) timer = setTimeout(() => void load(), delayMs)
  }

  /** Existing rows stay where they are, so that none loses the focus. */
  function show(mails: MailRow[], from: EnvironmentName): void {
    const ids = new Set(mails.map(({ messageId }) => messageId))
    for (const [id, row] of rows) {
      if (ids.has(id)) continue
      row.remove()
      rows.delete(id)
    }
    for (const [at, mail] of mails.entries()) {
      const row = rows.get(mail.messageId) ?? createRow(mail, () => open(mail, from))
      rows.set(mail.messageId, row)
      if (list.children[at] !== row) list.insertBefore(row, list.children[at] ?? null)
    }
    put(
      note,
      mails.length === 0 ? '' : `${count(mails.length)}, kept here because no mail server is set. Nobody received one.`,
    )
    put(
      empty,
      'No mail yet. Send “Welcome” or “Invoice”; or “Order delivered”, whose mail comes when its message is still unread after ten seconds.',
    )
    empty.hidden = mails.length > 0
  }

  function open(mail: MailRow, from: EnvironmentName): void {
    const view = createMailView(from, mail, () => {
      showList()
      rows.get(mail.messageId)?.querySelector('button')?.focus()
    })
    clearTimeout(timer)
    turn += 1
    element.replaceChildren(view.element)
    view.focus()
  }

  function showList(): void {
    element.replaceChildren(mailbox)
    if (isShown) void load()
  }

  watchEntries(({ lane }) => {
    if (lane === 'tracked') schedule(SOON_MS)
  })
  page.choice.watch((choice) => {
    if (choice.environment === environment) return
    environment = choice.environment
    turn += 1
    rows.clear()
    list.replaceChildren()
    put(note, '')
    put(problem, '')
    put(empty, 'Loading …')
    empty.hidden = false
    showList()
  })
  return {
    element,
    shown(isNow) {
      isShown = isNow
      if (!isNow) clearTimeout(timer)
      else if (mailbox.isConnected) void load()
    },
  }
}

function createRow({ to, subject, createdAt }: MailRow, open: () => void): HTMLElement {
  return h(
    'li',
    {},
    h(
      'button',
      { class: 'mail-row', type: 'button', onclick: open },
      h('span', { class: 'mail-to' }, h('span', { class: 'sr' }, 'To '), to.name ?? to.address),
      h('time', { datetime: createdAt }, formatTime(createdAt)),
      h('strong', {}, subject),
    ),
  )
}

/** Writes only a new text, so that a screen reader does not repeat the old one at each reload. */
function put(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

const count = (mails: number) => (mails === 1 ? '1 mail' : mails < 100 ? `${mails} mails` : 'The newest 100 mails')
