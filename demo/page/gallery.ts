// Shows every state of the element in its own frame (`/gallery`), so that each has its own window, focus and user.

import { byId, h } from './dom.ts'
import { GROUPS, type Scene } from './gallery/scenes.ts'
import { pageAddress } from './prefix.ts'

const LOOKS = [
  [
    'theme',
    'Colours',
    [
      ['', 'As the system'],
      ['light', 'Light'],
      ['dark', 'Dark'],
    ],
  ],
  [
    'dir',
    'Direction',
    [
      ['', 'Left to right'],
      ['rtl', 'Right to left'],
    ],
  ],
  [
    'locale',
    'Language',
    [
      ['', 'English'],
      ['de', 'Deutsch'],
      ['fr', 'Français'],
      ['ar', 'العربية'],
      ['ja', '日本語'],
    ],
  ],
] as const

const look = new URLSearchParams()
const frames = new Map<Scene, HTMLIFrameElement>()

const addressOf = ({ name }: Scene): string => pageAddress(`/gallery/${name}${look.size > 0 ? `?${look}` : ''}`)

function card(scene: Scene): HTMLElement {
  const frame = h('iframe', { title: `${scene.title}: the element`, loading: 'lazy', src: addressOf(scene) })
  const again = h('button', { type: 'button', class: 'button small' }, 'Again')
  again.addEventListener('click', () => frame.contentWindow?.location.reload())
  frames.set(scene, frame)
  const size = scene.isPhone ? 'phone' : scene.isLow ? 'low' : ''
  return h(
    'article',
    { class: `state-card ${size}`, id: scene.name },
    h('h3', {}, h('a', { href: pageAddress(`/gallery/${scene.name}`) }, scene.title)),
    h('p', {}, scene.note),
    again,
    frame,
  )
}

function choices(name: string, legend: string, values: readonly (readonly [string, string])[]): HTMLElement {
  const labels = values.map(([value, label], index) => {
    const input = h('input', { type: 'radio', name, value, checked: index === 0 })
    input.addEventListener('change', () => {
      if (value === '') look.delete(name)
      else look.set(name, value)
      for (const [scene, frame] of frames) frame.src = addressOf(scene)
    })
    return h('label', { class: 'theme-choice' }, input, h('span', {}, label))
  })
  return h('fieldset', { class: 'theme-choices' }, h('legend', {}, legend), ...labels)
}

byId('looks').append(...LOOKS.map(([name, legend, values]) => choices(name, legend, values)))
byId('states').append(
  ...GROUPS.map(([title, scenes]) =>
    h('section', { class: 'states' }, h('h2', {}, title), h('div', { class: 'state-cards' }, ...scenes.map(card))),
  ),
)
