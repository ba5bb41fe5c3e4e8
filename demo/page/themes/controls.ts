// Builds the theme page's controls: ready themes, light or dark, colour pairs, corners.

import { h } from '../dom.ts'
import { type Pair, readPair, type Settings, writePair } from './css.ts'

export type Scheme = 'auto' | 'light' | 'dark'

interface ControlActions {
  theme(name: string): void
  scheme(name: Scheme): void
  /** Null restores the element's own value. */
  changed(name: string, value: string | null): void
}

export interface Controls {
  /** Shows these settings; all others have the element's own value. */
  fill(settings: Settings): void
}

const THEMES = [
  ['standard', 'Standard'],
  ['slate', 'Slate'],
  ['meadow', 'Meadow'],
  ['ink', 'Ink'],
] as const
const SCHEMES = [
  ['auto', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** The element's own colours, with which the pickers begin. */
const COLOURS: [name: string, label: string, standard: Pair][] = [
  ['--nc-accent', 'Accent', { light: '#4457e8', dark: '#93a1ff' }],
  ['--nc-on-accent', 'Text on the accent', { light: '#ffffff', dark: '#12152b' }],
  ['--nc-surface', 'Panel', { light: '#ffffff', dark: '#1b1c21' }],
  ['--nc-raised', 'Raised', { light: '#f5f6f8', dark: '#26282f' }],
  ['--nc-text', 'Text', { light: '#171a21', dark: '#f1f2f5' }],
  ['--nc-muted', 'Lesser text', { light: '#5a6170', dark: '#a3a9b7' }],
  ['--nc-line', 'Lines', { light: '#e7e9ee', dark: '#33363f' }],
  ['--nc-badge', 'Badge', { light: '#d92d3f', dark: '#ff5d6c' }],
  ['--nc-on-badge', 'Number on the badge', { light: '#ffffff', dark: '#2a0308' }],
]
const RADIUS_PX = 16

export function addControls(host: HTMLElement, actions: ControlActions): Controls {
  const pickers = COLOURS.map(([name, label, standard]) => addColour(name, label, standard, actions))
  const radius = h('input', { id: 'radius', type: 'range', min: 0, max: 28, value: RADIUS_PX })
  radius.addEventListener('input', () => actions.changed('--nc-radius', `${radius.value}px`))
  host.addEventListener('submit', (event) => event.preventDefault())
  host.append(
    addChoices('Theme', THEMES, actions.theme),
    addChoices('Seen', SCHEMES, actions.scheme),
    h(
      'fieldset',
      { class: 'theme-colours' },
      h('legend', {}, 'Colours'),
      h('span', { class: 'theme-head' }, 'Light'),
      h('span', { class: 'theme-head' }, 'Dark'),
      ...pickers.flatMap(({ parts }) => parts),
    ),
    h('p', { class: 'theme-radius' }, h('label', { for: 'radius' }, 'Corners'), radius),
  )
  return {
    fill(settings) {
      for (const picker of pickers) picker.fill(settings)
      radius.value = String(Number.parseFloat(settings.get('--nc-radius') ?? `${RADIUS_PX}`))
    },
  }
}

function addChoices<Name extends string>(
  legend: string,
  choices: readonly (readonly [Name, string])[],
  chosen: (name: Name) => void,
): HTMLElement {
  const group = legend.toLowerCase()
  const labels = choices.map(([name, label], index) => {
    const input = h('input', { type: 'radio', name: group, value: name, checked: index === 0 })
    input.addEventListener('change', () => chosen(name))
    return h('label', { class: 'theme-choice' }, input, h('span', {}, label))
  })
  return h('fieldset', { class: 'theme-choices' }, h('legend', {}, legend), ...labels)
}

function addColour(name: string, label: string, standard: Pair, actions: ControlActions) {
  const make = (scheme: keyof Pair) => {
    const input = h('input', { type: 'color', value: standard[scheme], 'aria-label': `${label}, ${scheme}` })
    input.addEventListener('input', () => actions.changed(name, writePair({ light: light.value, dark: dark.value })))
    return input
  }
  const light = make('light')
  const dark = make('dark')
  return {
    parts: [h('span', {}, label), light, dark],
    fill(settings: Settings): void {
      const pair = readPair(settings.get(name) ?? '') ?? standard
      light.value = pair.light
      dark.value = pair.dark
    },
  }
}
