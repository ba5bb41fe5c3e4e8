// Renders the head of the editor: names, whether the draft is saved, who else has it open, and undo, redo and publishing.

import { html, nothing, type TemplateResult } from 'lit'
import type { CampaignEditorsAnswer } from '../../../contract/resources/campaign-editors.ts'
import type { DraftSession } from '../../editor/draft-session.ts'
import { badge } from '../../elements/badge.ts'
import { icon } from '../../elements/icon.ts'
import { segments } from '../../elements/segments.ts'
import type { AppContext } from '../../shell/context.ts'
import { publishLabel } from './publish/pending-view.ts'
import { saveStateView } from './save-state.ts'

const VIEWS = [
  ['picture', 'Picture'],
  ['json', 'JSON'],
] as const
export type View = (typeof VIEWS)[number][0]

export const viewOf = ({ query }: AppContext): View => (query.get('view') === 'json' ? 'json' : 'picture')

export interface HeadProps {
  context: AppContext
  session: DraftSession
  others: CampaignEditorsAnswer['editors']
  mayChange: boolean
  undo(): void
  redo(): void
  publish(): void
}

export function editorHead({ context, session, others, mayChange, undo, redo, publish }: HeadProps): TemplateResult {
  const { campaign, draft, undoable, redoable, state, faults } = session
  const { link, router } = context
  const tool = (name: string, label: string, what: string | undefined, run: () => void) => {
    const words = what === undefined ? label : `${label}: ${what}`
    return html`<button type="button" class="icon-button" aria-label=${words} title=${words} ?disabled=${what === undefined} @click=${run}>${icon(name)}</button>`
  }
  const show = (view: View) => router.setQuery({ view: view === 'json' ? view : undefined }, { replace: true })
  const name = typeof draft.name === 'string' && draft.name !== '' ? draft.name : campaign.key
  const { environment } = context
  return html`<nav class="crumbs" aria-label="Breadcrumb">
      <span class="tag" data-production=${environment.isProduction ? '' : nothing}>${environment.name}</span>
      <a class="link" href=${link('campaigns')}>Campaigns</a>
      <a class="link" href=${link('campaign', campaign.id)}>${campaign.name}</a>
    </nav>
    <div class="editor-title">
      <h1 tabindex="-1">${name}</h1>
      ${badge(campaign.status)} ${saveStateView(state, faults.length)} ${othersView(others)}
    </div>
    <div class="editor-tools" role="toolbar" aria-label="Editing">
      ${segments('View', VIEWS, viewOf(context), show)}
      ${
        mayChange
          ? html`${tool('undo', 'Undo', undoable, undo)} ${tool('redo', 'Redo', redoable, redo)}
            <wa-button size="s" variant="brand" @click=${publish}>${publishLabel(context, campaign)}</wa-button>`
          : html`<p class="hint">Your role may look, and not change.</p>`
      }
    </div>`
}

function othersView(others: HeadProps['others']): TemplateResult {
  const names = new Intl.ListFormat('en').format(others.map(({ name, email }) => name || email))
  return html`<span class="editor-others" role="status">${
    others.length === 0
      ? nothing
      : html`${icon('users')}${names} ${others.length === 1 ? 'has' : 'have'} it open as well`
  }</span>`
}
