// Keeps what a template was given: its data as it was before any tag, and the texts of its campaign, for tags and filters.

import type { Context } from 'liquidjs'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'

interface Given {
  data: object
  texts: CampaignTexts | undefined
}

const REGISTER = 'given'

export function setGiven(context: Context, given: Given): void {
  context.setRegister(REGISTER, given)
}

/** @returns what the template was given, in a snippet too */
export function givenOf(context: Context): Given {
  return context.getRegister(REGISTER) as Given
}
