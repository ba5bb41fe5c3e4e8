// The keys of the panel: arrows (or j and k), Home and End walk the rows and the tabs, Enter opens, Escape goes back, then out.

import { COMMAND_KEYS } from './panel-commands.ts'

export interface KeyTargets {
  panel: HTMLElement
  /** How many rows the list has, in the page or not. */
  rowCount: () => number
  /** Where a row stands in the list. */
  placeOf: (row: HTMLElement) => number
  goTo: (place: number) => void
  open: (row: HTMLElement) => void
  /** True when there was somewhere to go back to. */
  escape: () => boolean
  /** True when the key does something to the message of this row, or to the open one. */
  command: (key: string, row: HTMLElement | null) => boolean
}

export function createKeys(targets: KeyTargets): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return
    const typed = event.composedPath()[0]
    if (!(typed instanceof HTMLElement)) return
    if (handle(targets, event, typed, event.target as HTMLElement)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }
}

/** `typed` may be within what has a shadow root of its own; then `target` is that. */
function handle(targets: KeyTargets, { key, repeat }: KeyboardEvent, typed: HTMLElement, target: HTMLElement): boolean {
  if (key === 'Escape') return targets.escape()
  // What the page has put into a slot has keys of its own.
  if (!targets.panel.contains(target)) return false
  if (typed.isContentEditable || typed.matches('input:not([type=checkbox]), textarea, select')) return false
  if (target.matches('[role=tab]')) return walkTabs(targets, key, target) || command(targets, key, repeat, null)
  if (target.closest('.settings') !== null) return false
  const row = target.closest<HTMLElement>('article.row')
  if (key === 'Enter' && row === target) {
    targets.open(row)
    return true
  }
  return walkRows(targets, key, row) || command(targets, key, repeat, row)
}

function command(targets: KeyTargets, key: string, repeat: boolean, row: HTMLElement | null): boolean {
  return repeat ? COMMAND_KEYS.includes(key) : targets.command(key, row)
}

function walkRows({ rowCount, placeOf, goTo }: KeyTargets, key: string, row: HTMLElement | null): boolean {
  const last = rowCount() - 1
  const at = row === null ? -1 : placeOf(row)
  const next =
    key === 'ArrowDown' || key === 'j'
      ? Math.min(at + 1, last)
      : key === 'ArrowUp' || key === 'k'
        ? Math.max(at - 1, 0)
        : key === 'Home'
          ? 0
          : key === 'End'
            ? last
            : -1
  if (next < 0 || last < 0) return false
  goTo(next)
  return true
}

function walkTabs({ panel }: KeyTargets, key: string, tab: HTMLElement): boolean {
  const all = [...panel.querySelectorAll<HTMLElement>('[role=tab]')]
  const isRtl = getComputedStyle(panel).direction === 'rtl'
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  const at = all.indexOf(tab) + (isRtl ? -step : step)
  const next = key === 'Home' ? all[0] : key === 'End' ? all.at(-1) : step === 0 ? undefined : all.at(at % all.length)
  if (next === undefined) return false
  next.focus()
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  next.click()
  return true
}
