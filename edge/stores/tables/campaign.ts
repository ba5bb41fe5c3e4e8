// Describes the tables of campaigns and their versions.

import type { CampaignStatus } from '../../../contract/campaign-status.ts'
import type { PublishState } from '../../../contract/resources/campaign.ts'
import type {
  AskedPublish,
  Campaign,
  CampaignVersion,
  PublishRequest,
  StoredDefinition,
} from '../../domain/campaign.ts'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import { boolean, type ColumnsOf, integer, json, namesOf, orNull, table, text, textOf } from './table.ts'

/** Columns that a change may write. */
const changing = {
  name: text(),
  category: orNull(text()),
  status: textOf<CampaignStatus>(),
  currentVersion: orNull(integer()),
  drains: boolean(),
  resumedAt: orNull(integer()),
  draft: json<StoredDefinition>(),
  updatedAt: integer(),
}

const campaign = {
  id: integer(),
  environmentId: integer(),
  key: text('campaign_key'),
  createdAt: integer(),
  ...changing,
} satisfies ColumnsOf<Campaign>

/** Only changes read them. */
const asked = {
  publishState: orNull(textOf<PublishState>()),
  publishRequest: orNull(json<PublishRequest>()),
} satisfies ColumnsOf<AskedPublish>

/** All of a campaign; `search` is for the store alone. */
const stored = { ...campaign, ...asked, revision: integer() }
const search = text()

export const CAMPAIGN = table('campaign', { ...stored, search })

export const CAMPAIGN_FIELDS = namesOf(campaign)
export const CAMPAIGN_CHANGING = namesOf({ ...changing, ...asked, search })
export const CAMPAIGN_STORED = namesOf(stored)

export const CAMPAIGN_VERSION = table('campaign_version', {
  environmentId: integer(),
  campaignId: integer(),
  version: integer(),
  publishedAt: integer(),
  definition: json<StoredDefinition>(),
  /** Null: it uses none. */
  texts: orNull(json<CampaignTexts>()),
  publishedBy: orNull(text()),
  note: orNull(text()),
} satisfies ColumnsOf<Required<CampaignVersion> & Pick<Campaign, 'environmentId'>>)

/** Has the names of events that published versions wait for. */
export const AWAITED_NAME = table('awaited_name', { environmentId: integer(), name: text() })
