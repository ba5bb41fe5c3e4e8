// The keys of the panel: arrows (or j and k), Home and End walk the rows and the tabs, Enter opens, Escape goes back, letters act on messages.

import type { InboxMessage } from '../../../contract/api.ts'
import { listenInPage } from './listening.ts'
import type { NcRow } from './message/row.ts'
import type { PanelWithActions } from './panel-actions.ts'

/** Held down, they act once: nobody means to act on the next message too. */
const ACTION_KEYS = ['e', 'u', 'h', 'x', 'z', '?']

export class KeyboardController {
  readonly #panel: PanelWithActions

  constructor(panel: PanelWithActions) {
    this.#panel = panel
    listenInPage(panel, () => [
      [panel.host.root, 'keydown', this.#onHeld, { capture: true }],
      [panel, 'keydown', this.#onKeydown],
    ])
  }

  /** Of bell, panel and toasts: a key that is still down when the focus has moved is not meant for what has it now. */
  readonly #onHeld = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || !event.repeat || event.isComposing) return
    if (event.key === 'Escape' || this.#isPress(event)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }

  /** Enter or Space on what is ours; what the page has put into a slot or a row has keys of its own. */
  #isPress({ key, target }: KeyboardEvent): boolean {
    if (!(target instanceof Element) || !this.#panel.host.root.contains(target)) return false
    if (target.closest<NcRow>('nc-row')?.content?.contains(target)) return false
    const control = target.closest('a, button, article.row')
    return control !== null && (key === 'Enter' || (key === ' ' && control.matches('button')))
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return
    const typed = event.composedPath()[0]
    if (!(typed instanceof HTMLElement)) return
    if (this.#handle(event, typed, event.target as HTMLElement)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }

  /** `typed` may be within an element that has a shadow root of its own; then `target` is that element. */
  #handle({ key, repeat }: KeyboardEvent, typed: HTMLElement, target: HTMLElement): boolean {
    if (key === 'Escape') return this.#escape()
    // What the page has put into a slot has keys of its own.
    if (!this.#panel.contains(target)) return false
    if (typed.isContentEditable || typed.matches('input:not([type=checkbox]), textarea, select')) return false
    if (target.matches('[role=tab]')) return this.#walkTabs(key, target) || this.#act(key, repeat, undefined)
    if (target.closest('.settings') !== null) return false
    const row = target.closest<HTMLElement>('article.row')
    if (key === 'Enter' && row === target) {
      const message = this.#panel.actions.find(row.dataset.id)
      if (message !== undefined) this.#panel.actions.open(message)
      return true
    }
    return this.#walkRows(key, row?.dataset.id) || this.#act(key, repeat, row?.dataset.id)
  }

  /** From the innermost thing that is open outwards. @returns false when there is nowhere to go back to */
  #escape(): boolean {
    const { isHelpShown, snoozingId, isSettingsShown, detailId, selected, isInline, actions } = this.#panel
    if (isHelpShown) actions.help(false)
    else if (snoozingId !== undefined) actions.chooseSnooze(undefined)
    else if (isSettingsShown) actions.settings(false)
    else if (detailId !== undefined) actions.back()
    else if (selected !== undefined) actions.select(undefined)
    else if (isInline) return false
    else actions.close()
    return true
  }

  #walkRows(key: string, id: string | undefined): boolean {
    const panel = this.#panel
    if (panel.detailId !== undefined) {
      if (key !== 'j' && key !== 'k') return false
      panel.actions.step(key === 'j' ? 1 : -1)
      return true
    }
    // A key may be quicker than the rendering of what has come.
    panel.flush()
    const last = (panel.list?.messages.length ?? 0) - 1
    const at = panel.list?.indexOf(id) ?? -1
    const steps: Record<string, number> = {
      ArrowDown: Math.min(at + 1, last),
      j: Math.min(at + 1, last),
      ArrowUp: Math.max(at - 1, 0),
      k: Math.max(at - 1, 0),
      Home: 0,
      End: last,
    }
    const next = Object.hasOwn(steps, key) ? (steps[key] as number) : -1
    if (next < 0 || last < 0) return false
    panel.currentId = panel.focusRow(next)?.id
    return true
  }

  #walkTabs(key: string, tab: HTMLElement): boolean {
    const all = [...this.#panel.querySelectorAll<HTMLElement>('[role=tab]')]
    const isRtl = getComputedStyle(this.#panel).direction === 'rtl'
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    const at = all.indexOf(tab) + (isRtl ? -step : step)
    const next = key === 'Home' ? all[0] : key === 'End' ? all.at(-1) : step === 0 ? undefined : all.at(at % all.length)
    if (next === undefined) return false
    next.focus()
    next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    next.click()
    return true
  }

  /** On the open message, all that are selected, or the one of this row. @returns whether the key is one of these */
  #act(key: string, repeat: boolean, id: string | undefined): boolean {
    if (repeat) return ACTION_KEYS.includes(key)
    const { actions, detailId } = this.#panel
    const isDone = this.#run(key, actions.find(detailId ?? id))
    // At once: the next key may come before the next frame.
    if (isDone) this.#panel.renderNow()
    return isDone
  }

  #run(key: string, message: InboxMessage | undefined): boolean {
    const { actions, isHelpShown, detailId, selected } = this.#panel
    const chosen = [...(selected ?? [])].flatMap((id) => actions.find(id) ?? [])
    const messages = chosen.length > 0 ? chosen : message === undefined ? [] : [message]
    if (key === '?') actions.help(!isHelpShown)
    else if (key === 'z') actions.undo()
    else if (key === 'x' && message !== undefined && detailId === undefined) actions.toggleSelected(message)
    else if (messages.length === 0) return false
    else if (key === 'e') actions.archive(messages)
    else if (key === 'u') actions.change(messages, { unopened: !messages.some(({ unopened }) => unopened) }, '')
    else if (key === 'h') {
      if (messages.length === 1 && messages[0]?.archivedAt === null) actions.chooseSnooze(messages[0])
    } else return false
    return true
  }
}
