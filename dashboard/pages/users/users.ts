// <nc-users>: finds a user by id.

import { html, type TemplateResult } from 'lit'
import { pageHead } from '../../elements/bits.ts'
import { icon } from '../../elements/icon.ts'
import { emptyView } from '../../elements/states.ts'
import { AppPage } from '../../shell/page-element.ts'

class NcUsers extends AppPage {
  override render(): TemplateResult {
    return html`<div class="page">
      ${pageHead('Users', 'The recipients of your notifications.')}
      <search class="filters">
        <form class="filter-line" @submit=${this.#onSubmit}>
          <div class="filter filter-search">
            ${icon('search')}
            <input class="input" type="search" name="userId" aria-label="User ID" placeholder="User ID, exactly" required autocomplete="off" spellcheck="false" />
          </div>
          <wa-button size="s" type="submit" appearance="outlined">Open</wa-button>
        </form>
      </search>
      ${emptyView({
        icon: 'users',
        title: 'Open a user by ID',
        text: 'A user has a profile, deliveries and sessions. The ID is the one that your backend tracks events with.',
      })}
    </div>`
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    const id = String(new FormData(event.target as HTMLFormElement).get('userId') ?? '').trim()
    if (id !== '') this.context.router.go(this.context.link('user', id))
  }
}

customElements.define('nc-users', NcUsers)
