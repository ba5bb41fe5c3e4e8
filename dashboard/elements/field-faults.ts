// Shows each fault of a refused form at its field, until the field is changed. Faults without a field stay in the list.

import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { ApiFailure } from '../api/client.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
type Host = ReactiveControllerHost & HTMLElement

const FIELDS = 'input[name], select[name], textarea[name]'
/** The lines of a list of faults, and its message, which loses its path with the next failure. */
const LISTED = '.form-error > p, [data-fault-path]'
const MARK = 'shown-fault'

export class FieldFaults implements ReactiveController {
  readonly #host: Host
  readonly #errorOf: () => unknown
  #shown: unknown

  /** @param errorOf The failure of the last attempt. */
  constructor(host: Host, errorOf: () => unknown) {
    this.#host = host
    this.#errorOf = errorOf
    host.addController(this)
  }

  hostConnected(): void {
    this.#host.addEventListener('input', this.#onInput)
  }

  hostDisconnected(): void {
    this.#host.removeEventListener('input', this.#onInput)
  }

  hostUpdated(): void {
    const error = this.#errorOf()
    if (error === this.#shown) return
    this.#shown = error
    for (const field of this.#host.querySelectorAll<Field>(FIELDS)) clear(field)
    const listed = [...this.#host.querySelectorAll<HTMLElement>(LISTED)]
    for (const line of listed) line.hidden = false
    const details = error instanceof ApiFailure ? (error.body.details ?? []) : []
    const marked = details.flatMap(({ path, message }) => {
      const field = findField(this.#host, path)
      if (field === undefined) return []
      show(field, message)
      for (const line of listed) if (line.dataset.faultPath === path) line.hidden = true
      return [field]
    })
    marked[0]?.focus()
  }

  readonly #onInput = ({ target }: Event): void => {
    if (target instanceof HTMLElement && target.matches(FIELDS)) clear(target as Field)
  }
}

/** A field has the name of a path's end, such as `issuer` of `identityProvider.issuer`, or of the list that it edits. */
function findField(host: HTMLElement, path: string): Field | undefined {
  const parts = path.replaceAll(/\[\d+\]/g, '').split('.')
  const names = [path, parts.at(-1), parts[0]]
  const fields = [...host.querySelectorAll<Field>(FIELDS)].filter(({ type }) => type !== 'hidden')
  for (const name of names) {
    const found = fields.find((field) => field.name === name || field.dataset.path === name)
    if (found !== undefined) return found
  }
  return undefined
}

function show(field: Field, message: string): void {
  const { parentElement: place } = field
  // A field that renders its own fault is left to it.
  if (place === null || place.querySelector('.field-fault') !== null) return
  const note = document.createElement('p')
  note.className = `field-fault ${MARK}`
  note.id = `${field.id || field.name}-${MARK}`
  note.textContent = message
  place.append(note)
  field.setAttribute('aria-invalid', 'true')
  field.setAttribute('aria-describedby', `${note.id} ${field.getAttribute('aria-describedby') ?? ''}`.trim())
}

function clear(field: Field): void {
  const note = field.parentElement?.querySelector(`.${MARK}`)
  if (note == null) return
  note.remove()
  field.removeAttribute('aria-invalid')
  const others = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== note.id)
  if (others.length === 0) field.removeAttribute('aria-describedby')
  else field.setAttribute('aria-describedby', others.join(' '))
}
