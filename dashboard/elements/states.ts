// Renders the states that every page has besides its content: loading, empty and failed.

import { html, nothing, type TemplateResult } from 'lit'
import { ApiFailure } from '../api/client.ts'
import { InvalidInput } from '../lib/invalid-input.ts'
import type { ListLoader } from '../lib/list-loader.ts'
import { ownPath } from '../routing/prefix.ts'
import { icon } from './icon.ts'

/** Grey lines in place of the content, with words for screen readers. */
export function loadingView(lines = 6): TemplateResult {
  return html`<div class="loading" role="status">
    <span class="sr">Loading…</span>
    ${Array.from({ length: lines }, () => html`<div class="bone"></div>`)}
  </div>`
}

export interface EmptyState {
  icon: string
  title: string
  text: unknown
  action?: TemplateResult
  /** Where it is all that the page has, its title is the heading of the page. */
  isPage?: boolean
}

export function emptyView({ icon: name, title, text, action, isPage = false }: EmptyState): TemplateResult {
  return html`<div class="empty">
    <div class="empty-icon">${icon(name)}</div>
    ${isPage ? html`<h1 tabindex="-1">${title}</h1>` : html`<h2>${title}</h2>`}
    <p>${text}</p>
    ${action ?? nothing}
  </div>`
}

/**
 * Shows a failure with all that helps to find its cause; what is not there or not allowed is no alarm, and has a way on.
 * @param retry Absent where another attempt has no use.
 */
export function failureView(error: unknown, retry?: () => void): TemplateResult {
  if (error instanceof ApiFailure && (error.status === 404 || error.status === 403)) return calmView(error)
  return html`<div class="failure" role="alert">
    <div class="failure-icon">${icon('warning')}</div>
    <div>
      <p class="failure-text">${messageOf(error)}</p>
      ${detailsOf(error)}
      ${retry === undefined ? nothing : html`<wa-button size="s" appearance="outlined" @click=${retry}>Try again</wa-button>`}
    </div>
  </div>`
}

function calmView(error: ApiFailure): TemplateResult {
  const { code, correlationId } = error.body
  // Without any role there, it may as well not exist.
  const isRefused = error.status === 403 && code !== 'authorization/organisation-not-authorized-for-this-user'
  // Announced like a failure, because it comes in place of what was asked for.
  const view = emptyView({
    icon: isRefused ? 'ban' : 'search',
    title: isRefused ? 'Not for your role' : 'Nothing here',
    text: html`${error.message}
      ${correlationId === undefined ? nothing : html`<span class="row-note">Correlation ID: <code>${correlationId}</code></span>`}`,
    action: html`<a class="link" href=${ownPath('/dashboard')}>Go to the first page</a>`,
  })
  return html`<div role="alert">${view}</div>`
}

/** @returns The words for people. */
export function messageOf(error: unknown): string {
  if (error instanceof InvalidInput) return error.message
  if (!(error instanceof ApiFailure)) return 'Something went wrong in this page. Reload it.'
  const wait = error.retryAfterSeconds
  return wait === undefined ? error.message : `${error.message} Try again in ${Math.ceil(wait)} s.`
}

/** Renders the end of a list: how many rows there are, or the way to more and why the last attempt failed. */
export function listFoot<Row>(list: ListLoader<Row>, one: string, many = `${one}s`): TemplateResult | typeof nothing {
  if (list.value === undefined) return nothing
  const { rows, cursor } = list.value
  if (cursor === undefined)
    return html`<p class="list-foot">${rows.length === 1 ? `1 ${one}` : `${rows.length} ${many}`}.</p>`
  return html`${faultView(list.error)}
    <wa-button size="s" appearance="outlined" @click=${list.loadMore}>Load more</wa-button>`
}

/** Shows what is wrong with a form: the message, and each fault with its field. Its place announces changes. */
export function faultView(error: unknown): TemplateResult {
  return html`<div class="form-error" role="alert">${error === undefined ? nothing : html`<p data-fault-path=${pathOf(error) ?? nothing}>${messageOf(error)}</p>${faultsOf(error)}`}</div>`
}

/** @returns the path of the fault whose words the message repeats, which a field may show (`FieldFaults`) */
function pathOf(error: unknown): string | undefined {
  if (!(error instanceof ApiFailure)) return undefined
  return error.body.details?.find(({ message }) => message === error.message)?.path
}

function faultsOf(error: unknown): TemplateResult | typeof nothing {
  const details = error instanceof ApiFailure ? (error.body.details ?? []) : []
  const further = details.filter(({ message }) => message !== (error as Error).message)
  if (further.length === 0) return nothing
  return html`<ul class="failure-details">${further.map(({ path, message }) => html`<li data-fault-path=${path}><code>${path}</code> ${message}</li>`)}</ul>`
}

function detailsOf(error: unknown): TemplateResult | typeof nothing {
  if (!(error instanceof ApiFailure)) return nothing
  const { code, reason, correlationId } = error.body
  return html`
    ${faultsOf(error)}
    <dl class="failure-facts">
      ${fact('Code', code)} ${fact('Reason', reason)} ${fact('Correlation ID', correlationId)}
    </dl>`
}

function fact(name: string, value: string | undefined): TemplateResult | typeof nothing {
  return value === undefined ? nothing : html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`
}
