// Renders the categories of a config: their names, their default channels, and whether users may switch them off.

import { html, nothing, type TemplateResult } from 'lit'
import { byChannel, CHANNELS, type Channel } from '../../../contract/delivery.ts'
import type { ConfigCategory } from '../../../contract/resources/notification-config.ts'
import { icon } from '../../elements/icon.ts'
import { toWords } from '../../lib/format.ts'

export function categoryEditor(
  categories: readonly ConfigCategory[],
  mayChange: boolean,
  onChange: (categories: ConfigCategory[]) => void,
): TemplateResult {
  const add = () =>
    onChange([...categories, { key: '', name: '', critical: false, channels: byChannel(({ defaultOn }) => defaultOn) }])
  const replace = (at: number, change: Partial<ConfigCategory>) =>
    onChange(categories.map((one, place) => (place === at ? { ...one, ...change } : one)))
  const remove = (at: number) => onChange(categories.filter((_, place) => place !== at))
  return html`<section class="card" aria-labelledby="categories-title">
    <header class="card-head"><h2 id="categories-title">Categories</h2></header>
    <p class="card-text">Users choose the channels of each. Messages of a critical one are always sent, at once. Other mails wait for the end of the user’s quiet hours, unless their category drops them.</p>
    ${categories.length === 0 ? html`<p class="none-found">There is no category yet.</p>` : nothing}
    <ul class="categories">
      ${categories.map((category, at) =>
        row(
          category,
          at,
          mayChange,
          (change) => replace(at, change),
          () => remove(at),
        ),
      )}
    </ul>
    ${mayChange ? html`<wa-button size="s" appearance="outlined" @click=${add}>${icon('plus', 'start')}Add a category</wa-button>` : nothing}
  </section>`
}

function row(
  { key, name, critical, channels, quietHours }: ConfigCategory,
  at: number,
  mayChange: boolean,
  onChange: (change: Partial<ConfigCategory>) => void,
  onRemove: () => void,
): TemplateResult {
  const words = `category ${at + 1}`
  const textOf = ({ target }: Event) => (target as HTMLInputElement).value
  const isOn = ({ target }: Event) => (target as HTMLInputElement).checked
  const set = (channel: Channel) => (event: Event) => onChange({ channels: { ...channels, [channel]: isOn(event) } })
  return html`<li>
    <input class="input mono" aria-label=${`Key of ${words}`} placeholder="key, such as orders" .value=${key} @input=${(event: Event) => onChange({ key: textOf(event) })} autocomplete="off" spellcheck="false" />
    <input class="input" aria-label=${`Name of ${words}`} placeholder="Name for users" .value=${name} @input=${(event: Event) => onChange({ name: textOf(event) })} autocomplete="off" />
    <div class="ticks">
      ${CHANNELS.map((channel) => tick(toWords(channel), channels[channel], set(channel)))}
      ${tick('Critical', critical, (event) => onChange({ critical: isOn(event) }))}
      ${tick('Drop mails in quiet hours', quietHours === 'drop', (event) => onChange({ quietHours: isOn(event) ? 'drop' : 'delay' }))}
    </div>
    ${mayChange ? html`<button type="button" class="icon-button" aria-label=${`Remove ${words}`} title=${`Remove ${words}`} @click=${onRemove}>${icon('trash')}</button>` : nothing}
  </li>`
}

function tick(label: string, isTicked: boolean, onChange: (event: Event) => void): TemplateResult {
  return html`<label class="check"><input type="checkbox" .checked=${isTicked} @change=${onChange} /> ${label}</label>`
}
