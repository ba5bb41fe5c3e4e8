// Provides a JSON editor that shows the position of a fault while typing.

import { h } from '../dom.ts'

export interface PropertiesEditor {
  elements: HTMLElement[]
  set(value: object): void
  /** @returns undefined for invalid JSON; the editor then shows the fault and has the focus */
  read(): Record<string, unknown> | undefined
}

export function createPropertiesEditor(): PropertiesEditor {
  const problem = h('p', { class: 'problem', id: 'properties-problem', role: 'status' })
  const area = h('textarea', {
    id: 'event-properties',
    rows: 7,
    spellcheck: 'false',
    'aria-describedby': 'properties-problem',
    oninput: () => check(),
  })

  function check(): Record<string, unknown> | undefined {
    const parsed = parseObject(area.value)
    const message = typeof parsed === 'string' ? parsed : ''
    problem.textContent = message
    area.setAttribute('aria-invalid', String(message !== ''))
    return typeof parsed === 'string' ? undefined : parsed
  }

  return {
    elements: [area, problem],
    set(value) {
      area.value = JSON.stringify(value, null, 2)
      check()
    },
    read() {
      const parsed = check()
      if (parsed === undefined) area.focus()
      return parsed
    },
  }
}

/** Parses a JSON object. @returns the object, or the fault as text; an empty text is an empty object */
export function parseObject(text: string): Record<string, unknown> | string {
  if (text.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
    return 'Properties are a JSON object: { … }.'
  } catch (error) {
    return describeFault(text, error instanceof Error ? error.message : '')
  }
}

/** Browsers describe the fault differently; a position in their text becomes line and column. */
function describeFault(text: string, message: string): string {
  const position = /position (\d+)/.exec(message)?.[1]
  const cause = message.replace(/\s*(?:\(line.*\)|in JSON.*|at position.*)$/s, '')
  if (position === undefined) return `This is no JSON: ${cause}.`
  const before = text.slice(0, Number(position)).split('\n')
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${cause}.`
}
