// Shows the shop's front page: a scene, the catalogue, and a plant's page with a question to the greenhouse.

import { h, icon } from '../dom.ts'
import { pageAddress } from '../prefix.ts'
import type { Page } from '../state.ts'
import { plantArt } from './art.ts'
import { PLANTS, type Plant } from './plants.ts'
import { answerQuestion, order } from './shop-events.ts'

export function homePage(page: Page): HTMLElement[] {
  return [
    h(
      'section',
      { class: 'hero' },
      h(
        'div',
        { class: 'hero-words' },
        h('p', { class: 'eyebrow' }, 'Houseplants, delivered alive'),
        h('h1', {}, 'Something green for the corner that never gets used.'),
        h(
          'p',
          { class: 'lead' },
          'Six plants, raised slowly in our greenhouse and sent out the day you order. We write to you when they need something.',
        ),
        h(
          'p',
          { class: 'hero-links' },
          h('a', { class: 'button solid', href: '#plants' }, 'See the plants'),
          h('a', { class: 'button quiet', href: pageAddress('/care') }, 'Care guide'),
        ),
      ),
      h(
        'div',
        { class: 'hero-scene' },
        plantArt('fern', 'tone-dusk'),
        plantArt('monstera', 'tone-clay'),
        plantArt('snake', 'tone-sand'),
      ),
    ),
    h(
      'section',
      { class: 'catalogue', id: 'plants', 'aria-label': 'Plants' },
      ...PLANTS.map((plant) => card(page, plant)),
    ),
  ]
}

function card(page: Page, plant: Plant): HTMLElement {
  return h(
    'article',
    { class: `card ${plant.tone}` },
    h(
      'a',
      { class: 'card-picture', href: pageAddress(`/plants/${plant.slug}`), tabindex: -1, 'aria-hidden': 'true' },
      plantArt(plant.kind, plant.tone),
    ),
    h('h2', {}, h('a', { href: pageAddress(`/plants/${plant.slug}`) }, plant.name)),
    h('p', { class: 'latin', lang: 'la' }, plant.latin),
    orderRow(page, plant),
  )
}

function orderRow(page: Page, plant: Plant): HTMLElement {
  const status = h('p', { class: 'order-status', role: 'status' })
  const button = h(
    'button',
    {
      class: 'button solid small',
      type: 'button',
      onclick: async () => {
        button.disabled = true
        const orderId = await order(page, plant)
        button.disabled = false
        status.replaceChildren(
          orderId === undefined ? 'The shop cannot take orders just now.' : `Order ${orderId} is packed.`,
        )
      },
    },
    'Order',
  )
  return h('div', { class: 'order-row' }, h('span', { class: 'price' }, `€ ${plant.price}`), button, status)
}

export function plantPage(page: Page, plant: Plant): HTMLElement[] {
  const status = h('p', { class: 'order-status', role: 'status' })
  const question = h('input', {
    id: 'question',
    name: 'question',
    required: true,
    maxlength: 200,
    placeholder: 'Can it stand beside the stove?',
  })
  const form = h(
    'form',
    {
      class: 'ask',
      id: 'comments',
      onsubmit: async (event) => {
        event.preventDefault()
        const taken = await answerQuestion(page, plant, question.value.trim())
        status.replaceChildren(
          taken ? 'Ada has answered: look at your bell.' : 'The greenhouse cannot be reached just now.',
        )
        if (taken) form.reset()
      },
    },
    h('label', { for: 'question' }, 'Ask the greenhouse'),
    h(
      'div',
      { class: 'ask-row' },
      question,
      h('button', { class: 'button solid', type: 'submit' }, icon('send'), 'Ask'),
    ),
    status,
  )
  return [
    h(
      'section',
      { class: `plant-page ${plant.tone}` },
      plantArt(plant.kind, plant.tone),
      h(
        'div',
        {},
        h('a', { class: 'back', href: pageAddress('/') }, 'All plants'),
        h('h1', {}, plant.name),
        h('p', { class: 'latin', lang: 'la' }, plant.latin),
        h('p', { class: 'lead' }, plant.story),
        h(
          'dl',
          { class: 'facts' },
          h('dt', {}, 'Light'),
          h('dd', {}, plant.light),
          h('dt', {}, 'Water'),
          h('dd', {}, plant.water),
        ),
        orderRow(page, plant),
        form,
      ),
    ),
  ]
}
