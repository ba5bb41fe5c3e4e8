// Renders states as a dot with a word: the colour repeats what the word says.

import { html, type TemplateResult } from 'lit'
import { toWords } from '../lib/format.ts'

export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'quiet'

/** Tones of the states of deliveries, runs, events and campaigns. */
const TONES: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  sent: 'good',
  enabled: 'good',
  single: 'good',
  active: 'good',
  completed: 'good',
  done: 'good',
  matched: 'good',
  'fanned-out': 'good',
  run: 'good',
  clicked: 'good',
  opened: 'info',
  read: 'info',
  scheduled: 'info',
  queued: 'info',
  sending: 'info',
  running: 'info',
  waiting: 'info',
  paused: 'warn',
  overlap: 'warn',
  disabled: 'bad',
  closed: 'warn',
  skipped: 'warn',
  exited: 'quiet',
  failed: 'bad',
  bounced: 'bad',
  'condition-error': 'bad',
}

export function badge(state: string, tone: Tone = TONES[state] ?? 'quiet'): TemplateResult {
  return html`<span class="badge" data-tone=${tone}>${toWords(state)}</span>`
}

export function tag(text: string): TemplateResult {
  return html`<span class="tag">${text}</span>`
}
