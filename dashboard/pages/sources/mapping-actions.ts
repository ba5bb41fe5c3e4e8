// Renders what a mapping does beside naming an event: drop, filter, identify, join a topic.

import { html, type TemplateResult } from 'lit'
import type { SourceIdentify, SourceMapping } from '../../../contract/resources/source-mapping.ts'
import { textField } from '../../elements/fields.ts'

export interface ActionFields {
  mapping: SourceMapping
  /** Its place in the list, from 0. */
  at: number
  /** @returns Why a field cannot be taken; undefined without a fault. */
  faultOf(field: string): string | undefined
  onChange(change: Partial<SourceMapping>, field: string): void
}

export function actionFields({ mapping, at, faultOf, onChange }: ActionFields): TemplateResult {
  const scope = `mapping-${at}`
  const setDrop = ({ target }: Event) => onChange({ drop: (target as HTMLInputElement).checked }, 'drop')
  return html`<div class="field">
      <label class="check"><input type="checkbox" .checked=${mapping.drop === true} @change=${setDrop} /><span>Drop these items<span class="row-note">They are counted, and no event comes of them.</span></span></label>
    </div>
    ${textField(scope, {
      name: 'where',
      label: 'Condition',
      hint: 'Such as event.properties.total > 100. Items for which it does not hold are dropped.',
      isMono: true,
      value: mapping.where ?? '',
      fault: faultOf('where'),
      onInput: (where) => onChange({ where }, 'where'),
    })}
    ${textField(scope, {
      name: 'identify',
      label: 'What goes to the profile',
      hint: 'One a line, such as email = data.email, attributes.plan = data.plan or externalIds.stripe = data.customer.',
      isMono: true,
      rows: 3,
      value: textOfIdentify(mapping.identify),
      fault: faultOf('identify'),
      onInput: (text) => onChange({ identify: identifyOf(text) }, 'identify'),
    })}
    ${textField(scope, {
      name: 'joinTopic',
      label: 'Topic that the user joins',
      hint: 'Empty: none.',
      value: mapping.joinTopic ?? '',
      fault: faultOf('joinTopic'),
      onInput: (joinTopic) => onChange({ joinTopic }, 'joinTopic'),
    })}`
}

const GROUPS = ['attributes', 'externalIds'] as const

/** @returns A line for each path, such as `attributes.plan = data.plan`. */
export function textOfIdentify(identify: SourceIdentify | undefined): string {
  const { attributes = {}, externalIds = {}, ...texts } = identify ?? {}
  const lines = [
    ...Object.entries(texts),
    ...Object.entries(attributes).map(([name, path]) => [`attributes.${name}`, path]),
    ...Object.entries(externalIds).map(([system, path]) => [`externalIds.${system}`, path]),
  ]
  return lines.map(([name, path]) => `${name} = ${path}`).join('\n')
}

/** @returns The paths of the lines that have a name and a path; the server judges the names. */
export function identifyOf(text: string): SourceIdentify {
  const identify = new Map<string, string | Record<string, string>>()
  for (const line of text.split('\n')) {
    const [, name = '', path = ''] = /^\s*([^=]+?)\s*=\s*(\S.*?)\s*$/.exec(line) ?? []
    if (name === '' || path === '') continue
    const group = GROUPS.find((one) => name.startsWith(`${one}.`))
    if (group === undefined) identify.set(name, path)
    else {
      const before = identify.get(group) as Record<string, string> | undefined
      identify.set(group, { ...before, [name.slice(group.length + 1)]: path })
    }
  }
  return Object.fromEntries(identify)
}

/** @returns The actions that are set; empty texts are left out. */
export function cleanActions({
  drop,
  where = '',
  identify = {},
  joinTopic = '',
}: SourceMapping): Partial<SourceMapping> {
  return {
    ...(drop === true && { drop }),
    ...(where.trim() !== '' && { where: where.trim() }),
    ...(Object.keys(identify).length > 0 && { identify }),
    ...(joinTopic.trim() !== '' && { joinTopic: joinTopic.trim() }),
  }
}
