// What the page opts into for arrivals: toasts, a sound, the browser's own notifications. A part of its own.

import { html } from 'lit'
import type { InboxMessage } from '../../../contract/api.ts'
import { element } from '../../lib/dom.ts'
import { adopt, createSheet } from '../../lib/sheet.ts'
import { NcOpenMessageEvent } from '../events/open-message.ts'
import { createPanelI18n } from './i18n.ts'
import { iconButton } from './icons.ts'
import { drawKeyed } from './list/keyed-list.ts'
import { messageStyles } from './message/message.styles.ts'
import { avatar, imageLink } from './message/message-bits.ts'
import type { PanelHost } from './panel-types.ts'
import { pop } from './popover.ts'

export interface Extras {
  arrived(messages: InboxMessage[]): void
  destroy(): void
}

const TOAST_MS = 7_000
const TOASTS = 3
/** So long has a tab to begin, whose device may have to be woken, and so long is a chime; by so much later than others may a tab hear of an arrival. */
const [STARTS_MS, CHIME_MS, LATE_MS] = [2000, 1000, 20_000]
const LOCK = 'notification-center-chime'

export function createExtras(host: PanelHost): Extras {
  const holder = element('div', { class: 'toasts', popover: 'manual' })
  const i18n = createPanelI18n(host.voice)
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let toasts: InboxMessage[] = []
  adopt(host.shadow, messageStyles.styleSheet as CSSStyleSheet)
  adopt(host.shadow, toastStyles())
  host.root.append(holder)

  // One that is pointed at or has the focus is being read.
  const fade = (id: string): void => {
    if (holder.matches(':hover, :focus-within')) timers.set(id, setTimeout(fade, TOAST_MS / 2, id))
    else drop(id)
  }
  const drop = (id: string): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    toasts = toasts.filter((message) => message.id !== id)
    draw()
  }
  const open = (message: InboxMessage): void => {
    drop(message.id)
    host.controller()?.core?.record([message.id], 'opened', { urgent: true })
    if (!host.tell(new NcOpenMessageEvent(message))) return
    host.openingId = message.id
    host.element.show()
  }
  const draw = (): void => {
    const { t } = i18n()
    const one = (message: InboxMessage) => html`<div part="toast" class="toast">
      ${avatar(message)}
      <button type="button" class="toast-open" @click=${() => open(message)}>
        <strong dir="auto">${message.title}</strong>
      </button>
      ${iconButton(t('dismiss'), 'close', () => drop(message.id))}
    </div>`
    drawKeyed(holder, toasts, one)
    pop(holder, toasts.length > 0)
  }

  // Who opens the panel has them before their eyes.
  const clear = (): void => toasts.forEach(({ id }) => void drop(id))
  host.element.addEventListener('nc-show', clear)
  // Permission is asked for on a press alone, never by itself.
  const askPermission = (): void => {
    if (host.element.desktop && Notification.permission === 'default') void Notification.requestPermission()
  }
  if ('Notification' in globalThis) host.anchor.addEventListener('click', askPermission)

  return {
    arrived: (messages) => {
      const { element } = host
      if (element.sound) void chimeOnce(messages.at(-1)?.id)
      if (element.desktop && document.visibilityState === 'hidden') messages.forEach(notify)
      const isAll = element.toasts === 'all'
      const loud = messages.filter(({ priority }) => isAll || priority === 'high' || priority === 'urgent')
      if (element.toasts === null || element.open || element.mode === 'inline' || loud.length === 0) return
      toasts = [...toasts, ...loud].slice(-TOASTS)
      for (const { id } of loud) timers.set(id, setTimeout(fade, TOAST_MS, id))
      draw()
    },
    destroy: () => {
      for (const timer of timers.values()) clearTimeout(timer)
      host.anchor.removeEventListener('click', askPermission)
      host.element.removeEventListener('nc-show', clear)
      holder.remove()
    },
  }

  function notify(message: InboxMessage): void {
    if (!('Notification' in globalThis) || Notification.permission !== 'granted') return
    const image = imageLink(message.icon)
    const shown = new Notification(message.title, { tag: message.id, ...(image !== null && { icon: image }) })
    shown.onclick = () => {
      window.focus()
      open(message)
    }
  }
}

/** All tabs hear of an arrival, and all elements of a page: one of those that may makes the sound. */
async function chimeOnce(id = ''): Promise<void> {
  try {
    const audio = new AudioContext()
    // Refused until there was a gesture, it waits for one.
    await Promise.race([audio.resume(), wait(STARTS_MS)])
    const chimes = async (lock: unknown): Promise<void> => {
      if (lock === null || (lock && !(await isFirst(id)))) return
      chime(audio)
      await wait(CHIME_MS)
    }
    // One that may not begin stands in nobody's way.
    if (audio.state === 'running') {
      // Refused in a sandboxed frame.
      const inTurn = navigator.locks?.request(LOCK, { ifAvailable: true }, chimes)
      await (inTurn ?? chimes(undefined)).catch(() => chimes(undefined))
    }
    await audio.close()
  } catch {
    // No sound here; the badge has said it already.
  }
}

/** A tab that hears of it late is none that may. */
const isFirst = (id: string): Promise<boolean> =>
  new Promise((resolve) => {
    const keep = async (lock: unknown): Promise<void> => {
      resolve(lock !== null)
      if (lock) await wait(LATE_MS)
    }
    void navigator.locks.request(LOCK + id, { ifAvailable: true }, keep)
  })

const wait = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))

/** Two soft notes. */
function chime(audio: AudioContext): void {
  const volume = new GainNode(audio, { gain: 0 })
  const tone = new OscillatorNode(audio, { type: 'sine', frequency: 660 })
  const { currentTime: start } = audio
  tone.frequency.setValueAtTime(880, start + 0.11)
  volume.gain.linearRampToValueAtTime(0.09, start + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.45)
  tone.connect(volume).connect(audio.destination)
  tone.start()
  tone.stop(start + 0.5)
}

const toastStyles = createSheet(`
.toasts { --_side: calc(16px + max(env(safe-area-inset-left), env(safe-area-inset-right))); position: fixed; z-index: 2147483647; inset: auto; inset-block-end: calc(6px + env(safe-area-inset-bottom)); inset-inline-end: var(--_side); margin: 0; padding: 0; border: 0; background: none; overflow: visible; width: max(360px, 20em); max-width: calc(100% - 2 * var(--_side)) }
.toast { display: flex; align-items: center; gap: 12px; margin-block-end: 10px; padding: 12px 10px 12px 14px; border: 1px solid var(--_line); border-radius: 14px; background: var(--_surface); color: var(--_text); box-shadow: 0 10px 30px -6px rgb(16 20 40 / .25) }
.toast-open { all: unset; flex: 1; min-width: 0; cursor: pointer; line-height: 1.4; border-radius: 6px; overflow-wrap: anywhere }
.toast .icon-button { all: unset; display: grid; place-items: center; width: 30px; height: 30px; border-radius: 9px; color: var(--_muted); cursor: pointer }
.toast .icon { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round }
.toast button:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px }
@media (prefers-reduced-motion: no-preference) { .toast { animation: toast-in .22s cubic-bezier(.2, .8, .3, 1) } }
@keyframes toast-in { from { opacity: 0; transform: translateY(8px) } }
`)
