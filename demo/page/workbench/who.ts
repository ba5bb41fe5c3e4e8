// Selects user, environment, strategy, second user and theme, and ends sessions from the server.

import type { Choice, EnvironmentName } from '../backend.ts'
import { backend, explain } from '../backend.ts'
import { avatar } from '../bell.ts'
import { h } from '../dom.ts'
import { type Page, STRATEGY_NAMES } from '../state.ts'
import type { Theme, ThemeName } from '../theme.ts'

export function createWhoPanel(page: Page, theme: Theme): HTMLElement {
  const change = (part: Partial<Choice>) => page.choice.set({ ...page.choice.get(), ...part })
  return h(
    'div',
    { class: 'stack' },
    userChoice(page, change),
    segmented(
      'Environment',
      'environment',
      [
        ['dev', 'dev'],
        ['prod', 'prod'],
      ],
      page.choice.get().environment,
      (value) => change({ environment: value as EnvironmentName }),
    ),
    strategyChoice(page, change),
    secondChoice(page),
    sessions(page),
    segmented(
      'Theme',
      'theme',
      [
        ['auto', 'System'],
        ['light', 'Light'],
        ['dark', 'Dark'],
      ],
      theme.get(),
      (value) => theme.set(value as ThemeName),
    ),
  )
}

function userChoice(page: Page, change: (part: Partial<Choice>) => void): HTMLElement {
  const own = h('input', {
    id: 'own-user',
    placeholder: 'any user id',
    'aria-label': 'Another user id',
    maxlength: 256,
  })
  const cards = page.config.people.map(({ userId, name }) =>
    h(
      'button',
      { class: 'person', type: 'button', 'data-user': userId, onclick: () => change({ userId }) },
      avatar(name),
      h('span', {}, h('strong', {}, name), h('small', {}, userId)),
    ),
  )
  const form = h(
    'form',
    {
      class: 'row',
      onsubmit: (event) => {
        event.preventDefault()
        if (own.value.trim() !== '') change({ userId: own.value.trim() })
      },
    },
    own,
    h('button', { class: 'button small', type: 'submit' }, 'Sign in'),
  )
  page.choice.watch(({ userId }) => {
    for (const card of cards) card.setAttribute('aria-pressed', String(card.dataset.user === userId))
    own.value = page.config.people.some((person) => person.userId === userId) ? '' : userId
  })
  return group('User', h('div', { class: 'people' }, ...cards), form)
}

function strategyChoice(page: Page, change: (part: Partial<Choice>) => void): HTMLElement {
  const hint = h('p', { class: 'hint' })
  const options = [...STRATEGY_NAMES].map(([value, { label }]) => h('option', { value }, label))
  const select = h(
    'select',
    { id: 'strategy', onchange: () => change({ strategy: select.value as Choice['strategy'] }) },
    ...options,
  )
  page.choice.watch(({ strategy, environment }) => {
    select.value = strategy
    const isUnregistered = environment === 'prod' && (strategy === 'jwt' || strategy === 'signedJwt')
    hint.textContent = `${STRATEGY_NAMES.get(strategy)?.hint ?? ''}${isUnregistered ? ' In prod none is registered: the edge will refuse it and say so.' : ''}`
  })
  return group('Sign-in strategy', h('label', { class: 'sr', for: 'strategy' }, 'Sign-in strategy'), select, hint)
}

function secondChoice(page: Page): HTMLElement {
  const none = h('option', { value: '' }, 'Nobody')
  const options = page.config.people.map(({ userId, name }) => h('option', { value: userId }, name))
  const select = h(
    'select',
    { id: 'second', onchange: () => page.second.set(select.value === '' ? null : select.value) },
    none,
    ...options,
  )
  page.second.watch((userId) => {
    select.value = userId ?? ''
  })
  return group(
    'Second user on this page',
    h('label', { class: 'sr', for: 'second' }, 'Second user on this page'),
    select,
  )
}

function sessions(page: Page): HTMLElement {
  const status = h('p', { class: 'hint', role: 'status' })
  const end = h(
    'button',
    {
      class: 'button small',
      type: 'button',
      onclick: async () => {
        const { environment, userId } = page.choice.get()
        const answer = await backend.signOutUser(environment, userId)
        status.textContent = answer.ok
          ? `The edge ended ${answer.body.ended} session(s) of ${userId}.`
          : explain(answer)
      },
    },
    'End all sessions of this user',
  )
  return group('Sessions', end, status)
}

export function group(title: string, ...content: HTMLElement[]): HTMLElement {
  return h('section', { class: 'group' }, h('h2', {}, title), ...content)
}

/** Creates radio buttons side by side. */
export function segmented(
  title: string,
  name: string,
  options: [string, string][],
  chosen: string,
  pick: (value: string) => void,
): HTMLFieldSetElement {
  const radios = options.map(([value, label]) =>
    h(
      'label',
      {},
      h('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => pick(value) }),
      h('span', {}, label),
    ),
  )
  return h('fieldset', { class: 'group segmented' }, h('legend', {}, title), h('div', {}, ...radios))
}
