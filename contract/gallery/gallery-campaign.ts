// Declares a campaign of the gallery: a definition that works as it is, with an event that tries it.

import type { JsonObject } from '../json.ts'

/** What `POST /v1/campaigns` takes. */
export interface GalleryDefinition {
  key: string
  name: string
  category: string
  trigger: { event: string; where?: string }
  steps: JsonObject[]
}

export interface GalleryCampaign {
  /** One sentence of what it does. */
  text: string
  definition: GalleryDefinition
  /** Properties of an event that starts it. */
  sample: JsonObject
}

/** The user with whom campaigns of the gallery are tried. */
export const SAMPLE_USER = { name: 'Ada Lovelace', email: 'ada@example.com', locale: 'en' }

/** The greeting of a mail, also to a user without a name. */
export const HELLO = 'Hello{% if user.name %} {{ user.name | split: " " | first }}{% endif %},'
export const HALLO = 'Hallo{% if user.name %} {{ user.name | split: " " | first }}{% endif %},'

/** @returns Markdown of paragraphs. */
export const paragraphs = (...texts: string[]): string => texts.join('\n\n')
