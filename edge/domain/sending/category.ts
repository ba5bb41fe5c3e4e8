// The categories of an environment: those of its live campaigns, with what their notification configs say of them (contract sections 5 and 11).

import type { LiveCampaign } from '../campaign.ts'
import type { ConfigCategory, NotificationConfig } from '../tenant/notification-config.ts'

/** One category, the same for all campaigns of the environment. */
export type Category = ConfigCategory

export type Categories = ReadonlyMap<string, Category>

/**
 * In the order of the campaigns' creation. The oldest campaign whose config knows the category says its name and channels; it is
 * critical as soon as one of the configs says so, because what one campaign may not lose no other may lose either.
 */
export function categoriesOf(
  live: readonly LiveCampaign[],
  configs: ReadonlyMap<string, NotificationConfig>,
): Categories {
  const categories = new Map<string, Category>()
  const named = new Set<string>()
  for (const { definition } of [...live].sort((one, other) => one.campaign.id - other.campaign.id)) {
    const { category: key, notificationConfigId } = definition
    if (key === null) continue
    const before = categories.get(key)
    const config = notificationConfigId === null ? undefined : configs.get(notificationConfigId)
    const said = config?.categories.find((one) => one.key === key)
    const critical = before?.critical === true || said?.critical === true
    if (said !== undefined && !named.has(key)) {
      named.add(key)
      categories.set(key, { ...said, critical })
    } else {
      categories.set(key, { ...(before ?? plain(key)), critical })
    }
  }
  return categories
}

function plain(key: string): Category {
  return { key, name: key, critical: false, channels: { inbox: true, email: true } }
}
