// Renders one mapping of a source: a line that says what it does, and the fields behind it.

import { html, nothing, type TemplateResult } from 'lit'
import { toEventName } from '../../../contract/event-name.ts'
import type { ConnectorPlatform } from '../../../contract/tenant.ts'
import { tag } from '../../elements/badge.ts'
import { textField } from '../../elements/fields.ts'
import { icon } from '../../elements/icon.ts'
import { type ActionFields, actionFields, cleanActions } from './mapping-actions.ts'
import { PLATFORMS } from './platforms.ts'

export interface MappingRow extends ActionFields {
  provider: ConnectorPlatform
  mayChange: boolean
  isOpen: boolean
  onToggle(isOpen: boolean): void
  onRemove(): void
}

export function mappingRow(row: MappingRow): TemplateResult {
  const { isOpen, onToggle, mayChange, onRemove, mapping } = row
  const toggled = ({ target }: Event) => onToggle((target as HTMLDetailsElement).open)
  return html`<li>
    <details class="mapping" ?open=${isOpen} @toggle=${toggled}>
      <summary>${summaryOf(row)}</summary>
      <div class="mapping-fields">
        ${fieldsOf(row)}
        ${
          mayChange
            ? html`<div class="mapping-end"><wa-button size="s" appearance="outlined" variant="danger" @click=${onRemove}>${icon('trash', 'start')}Remove<span class="sr"> the mapping of ${mapping.providerEvent}</span></wa-button></div>`
            : nothing
        }
      </div>
    </details>
  </li>`
}

function summaryOf({ mapping, provider }: MappingRow): TemplateResult {
  const { providerEvent, event, userIdPath, propertiesPath, traits = [] } = mapping
  const { drop, where, identify, joinTopic } = cleanActions(mapping)
  const type = providerEvent === '' ? html`<span class="none">New mapping</span>` : html`<code>${providerEvent}</code>`
  const other = providerEvent === '*' ? html` <span class="none">every other type</span>` : nothing
  return html`<span class="mapping-type">${type}${other}</span>
    <span class="mapping-event"><span class="none" aria-label="becomes">→</span> ${event === null ? ownName(provider, providerEvent) : html`<code>${event}</code>`}</span>
    <span class="mapping-tags">
      ${userIdPath === null ? nothing : tag('user path')} ${propertiesPath === null ? nothing : tag(propertiesPath === '' ? 'whole item' : 'properties path')}
      ${drop === undefined ? nothing : tag('dropped')} ${where === undefined ? nothing : tag('condition')} ${identify === undefined ? nothing : tag('profile')} ${joinTopic === undefined ? nothing : tag('topic')}
      ${traits.length === 0 ? nothing : tag(traits.length === 1 ? '1 trait' : `${traits.length} traits`)}
    </span>`
}

/** Types of Segment that name their events; any other is the name of a track call, and that of its event. */
const KINDS_OF_CALLS = ['identify', 'group', 'page', 'screen', 'alias']

/** The name of the event without a mapping: that of a track call is made to fit. */
function ownName(provider: ConnectorPlatform, type: string): TemplateResult {
  if (type === '*' || type === '') return html`<span class="none">its own name</span>`
  const isTrack = provider === 'segment' && !KINDS_OF_CALLS.includes(type)
  return html`<code class="none">${toEventName(isTrack ? type : `${provider}.${type}`)}</code>`
}

function fieldsOf(row: MappingRow): TemplateResult {
  const { mapping, at, provider, faultOf, onChange } = row
  const scope = `mapping-${at}`
  const isWhole = mapping.propertiesPath === ''
  const path = (field: 'event' | 'userIdPath' | 'propertiesPath', label: string, hint: string) =>
    textField(scope, {
      name: field,
      label,
      hint,
      isMono: true,
      value: [mapping[field] ?? ''].flat().join(', '),
      disabled: field === 'propertiesPath' && isWhole,
      fault: faultOf(field),
      onInput: (value) => onChange({ [field]: value === '' ? null : value }, field),
    })
  const setWhole = ({ target }: Event) =>
    onChange({ propertiesPath: (target as HTMLInputElement).checked ? '' : null }, 'propertiesPath')
  return html`${textField(scope, {
    name: 'providerEvent',
    label: 'Type at the platform',
    hint: `Such as ${PLATFORMS[provider].exampleType}. An asterisk (*): every type without a mapping of its own.`,
    isMono: true,
    value: mapping.providerEvent,
    fault: faultOf('providerEvent'),
    onInput: (providerEvent) => onChange({ providerEvent }, 'providerEvent'),
  })}
  ${path('event', 'Name of the event', 'Empty: the platform’s name of it.')}
  ${path('userIdPath', 'Path to the user ID', 'Dotted, from the item; several with a comma. external:stripe:data.object.customer looks up by external ID. Empty: where the platform has it.')}
  <div class="field">
    ${path('propertiesPath', 'Path to the properties', 'An object. Empty: where the platform has it.')}
    <label class="check"><input type="checkbox" .checked=${isWhole} @change=${setWhole} /><span>The whole item</span></label>
  </div>
  ${actionFields(row)}
  ${provider === 'segment' ? traitsField(scope, mapping.traits ?? [], faultOf('traits'), onChange) : nothing}`
}

function traitsField(
  scope: string,
  traits: readonly string[],
  fault: string | undefined,
  onChange: MappingRow['onChange'],
): TemplateResult {
  return textField(scope, {
    name: 'traits',
    label: 'Traits for the profile',
    hint: 'Of identify calls, one a line; name, email, locale and timeZone are always taken.',
    isMono: true,
    rows: 3,
    value: traits.join('\n'),
    fault,
    onInput: (value) => onChange({ traits: value === '' ? [] : value.split('\n') }, 'traits'),
  })
}
