// <nc-selection>: the bar below the list while messages are being selected.

import { html, nothing, type TemplateResult } from 'lit'
import type { InboxMessage } from '../../../../contract/api.ts'
import type { Translate } from '../../../lib/translations.ts'
import { Piece } from '../../piece.ts'
import { type IconName, iconButton } from '../icons.ts'
import { rareStyles } from './rare.styles.ts'

/** What is to be done with the selected messages. */
export interface SelectionCommand {
  name: 'mark-read' | 'mark-unread' | 'archive' | 'delete'
  messages: InboxMessage[]
}

/**
 * Fires `select` with the ids that are selected from now on, or `null` when selecting ends; and `command` with a
 * SelectionCommand.
 */
export class NcSelection extends Piece {
  static override readonly styles = [rareStyles]
  static override readonly properties = {
    messages: { attribute: false },
    selected: { attribute: false },
    t: { attribute: false },
  }

  /** All messages of the list. */
  declare messages: InboxMessage[]
  declare selected: ReadonlySet<string>
  declare t: Translate

  protected override render(): TemplateResult {
    const { t, messages } = this
    const count = this.#chosen.length
    const isAll = count > 0 && count === messages.length
    return html`${iconButton(t('cancel'), 'close', () => this.#select(null))}
      <input
        type="checkbox"
        class="choose all"
        aria-label=${t('selectAll')}
        title=${t('selectAll')}
        .checked=${isAll}
        .indeterminate=${count > 0 && !isAll}
        @change=${() => (isAll ? this.#select([]) : this.#selectAll())}
      />
      <span class="chosen" role="status" .textContent=${t('selected', { count })}></span>
      <span class="spring">${count === 0 ? this.#selectAllLink() : this.#tools()}</span>`
  }

  #selectAllLink(): TemplateResult {
    return html`<button type="button" class="link" @click=${this.#selectAll}>${this.t('selectAll')}</button>`
  }

  #tools(): TemplateResult {
    const chosen = this.#chosen
    const isArchived = chosen.some(({ archivedAt }) => archivedAt !== null)
    const isUnopened = chosen.some(({ unopened }) => unopened)
    const tool = (text: string, icon: IconName, name: SelectionCommand['name']): TemplateResult =>
      iconButton(this.t(text), icon, () =>
        this.dispatchEvent(new CustomEvent<SelectionCommand>('command', { detail: { name, messages: chosen } })),
      )
    const mark = isUnopened ? tool('markRead', 'check', 'mark-read') : tool('markUnread', 'dotted', 'mark-unread')
    const archive = isArchived ? 'unarchive' : 'archive'
    return html`${isArchived ? nothing : mark}${tool(archive, archive, 'archive')}${tool('delete', 'trash', 'delete')}`
  }

  get #chosen(): InboxMessage[] {
    return this.messages.filter(({ id }) => this.selected.has(id))
  }

  readonly #selectAll = (): void => this.#select(this.messages.map(({ id }) => id))

  #select(ids: string[] | null): void {
    this.dispatchEvent(new CustomEvent('select', { detail: ids }))
  }
}
