// Finds how the element looks for a user: the environment's notification config, in the user's locale.

import type { Appearance } from '../../../contract/api.ts'
import type { WidgetLook } from '../../../contract/resources/notification-config.ts'
import { fallbackTags, normalizeTag } from '../../domain/tenant/locale-tags.ts'
import { type UserProfile, withDefaults } from '../../domain/user.ts'
import type { LiveCampaigns } from '../track/live-campaigns.ts'

/** @returns Null where the environment names no notification config. */
export function createFindAppearance(live: Pick<LiveCampaigns, 'load'>) {
  return async function findAppearance(environmentId: number, user: UserProfile): Promise<Appearance | null> {
    const { look, defaults } = await live.load(environmentId)
    return look === null ? null : appearanceOf(look, withDefaults(user, defaults).locale)
  }
}

/** @returns Theme, accent and the texts of the user's locale alone; those of `de-AT` override those of `de`. */
export function appearanceOf({ theme, accentColor, texts }: WidgetLook, locale: string | null): Appearance {
  const byTag = new Map(Object.entries(texts).map(([tag, own]) => [normalizeTag(tag), own]))
  const chosen = locale === null ? [] : fallbackTags(locale).reverse()
  return { theme, accentColor, texts: Object.assign({}, ...chosen.map((tag) => byTag.get(tag))) }
}
