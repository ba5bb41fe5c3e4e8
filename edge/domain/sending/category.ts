// Derives the categories of an environment from its live campaigns and their notification configs.

import { byChannel } from '../../../contract/delivery.ts'
import type { ConfigCategory } from '../../../contract/resources/notification-config.ts'
import type { LiveCampaign } from '../campaign.ts'
import type { NotificationConfig } from '../tenant/notification-config.ts'

/** A category, equal for all campaigns of the environment. */
export type Category = ConfigCategory

export type Categories = ReadonlyMap<string, Category>

/** What decides the category of a campaign. */
type Categorised = Pick<LiveCampaign, 'definition'> & { campaign: Pick<LiveCampaign['campaign'], 'id'> }

/**
 * Returns the config's categories first, then the others in the order of their campaigns' creation. Campaigns without a
 * config use the environment's. The oldest campaign whose config has the category decides its name and channels.
 * A category is critical when one config marks it so: its messages must not be lost for any campaign.
 */
export function categoriesOf(
  live: readonly Categorised[],
  configs: ReadonlyMap<string, NotificationConfig>,
  own?: NotificationConfig,
): Categories {
  const categories = new Map<string, Category>(own?.categories.map((one) => [one.key, one]))
  const named = new Set<string>()
  for (const { definition } of [...live].sort((one, other) => one.campaign.id - other.campaign.id)) {
    const { category: key, notificationConfigId } = definition
    if (key === null) continue
    const before = categories.get(key)
    const config = notificationConfigId === null ? own : configs.get(notificationConfigId)
    const configured = config?.categories.find((one) => one.key === key)
    const critical = before?.critical === true || configured?.critical === true
    if (configured !== undefined && !named.has(key)) {
      named.add(key)
      categories.set(key, { ...configured, critical })
    } else {
      categories.set(key, { ...(before ?? plain(key)), critical })
    }
  }
  return categories
}

function plain(key: string): Category {
  return { key, name: key, critical: false, channels: byChannel(({ defaultOn }) => defaultOn) }
}
