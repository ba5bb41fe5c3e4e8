// Lists the plants that the shop sells.

export type PlantKind = 'monstera' | 'snake' | 'pearls' | 'fern' | 'cactus' | 'fig'

export interface Plant {
  slug: string
  kind: PlantKind
  name: string
  latin: string
  price: number
  /** CSS class with the picture's colours. */
  tone: string
  light: string
  water: string
  story: string
}

export const PLANTS: readonly Plant[] = [
  {
    slug: 'monstera',
    kind: 'monstera',
    name: 'Monstera',
    latin: 'Monstera deliciosa',
    price: 48,
    tone: 'tone-clay',
    light: 'Bright, no midday sun',
    water: 'Once a week',
    story:
      'The one with the windows in its leaves. Give it a stick to climb and it will look down on you within three years.',
  },
  {
    slug: 'snake-plant',
    kind: 'snake',
    name: 'Snake plant',
    latin: 'Dracaena trifasciata',
    price: 29,
    tone: 'tone-sand',
    light: 'Anything but darkness',
    water: 'Every third week',
    story: 'Forgives long journeys and short memories. Grows straight up, so it needs no more floor than a shoe.',
  },
  {
    slug: 'string-of-pearls',
    kind: 'pearls',
    name: 'String of pearls',
    latin: 'Curio rowleyanus',
    price: 22,
    tone: 'tone-sage',
    light: 'A sunny shelf',
    water: 'When the pearls wrinkle',
    story: 'Each pearl is a leaf that holds its own water. Put it up high and let it fall.',
  },
  {
    slug: 'sword-fern',
    kind: 'fern',
    name: 'Sword fern',
    latin: 'Nephrolepis exaltata',
    price: 26,
    tone: 'tone-dusk',
    light: 'Half shade',
    water: 'Never let it dry',
    story: 'Likes what you like about a bathroom: warm air, soft light, a bit of steam in the morning.',
  },
  {
    slug: 'moon-cactus',
    kind: 'cactus',
    name: 'Old lady cactus',
    latin: 'Mammillaria hahniana',
    price: 18,
    tone: 'tone-rose',
    light: 'All the sun there is',
    water: 'Monthly, none in winter',
    story: 'Wears a crown of flowers every spring and is otherwise left alone, which it prefers.',
  },
  {
    slug: 'rubber-fig',
    kind: 'fig',
    name: 'Rubber fig',
    latin: 'Ficus elastica',
    price: 54,
    tone: 'tone-ochre',
    light: 'Bright window',
    water: 'Once a week',
    story: 'A tree that agreed to live indoors. Wipe its leaves now and then; it will shine for a month.',
  },
]

export function findPlant(slug: string): Plant | undefined {
  return PLANTS.find((plant) => plant.slug === slug)
}
