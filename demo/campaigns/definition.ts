// Names the parts of a campaign definition, as the engine describes them.

import type { DefinitionInput, StepInput } from '../../edge/campaign/definition.ts'

export type DemoCampaign = DefinitionInput
export type DemoInboxStep = Extract<StepInput, { type: 'inbox' }>
export type DemoAction = NonNullable<DemoInboxStep['actions']>[number]
