// The settings of the user, in the panel. A lazy part.

import { EN_SETTINGS } from '../../../locales/en-settings.ts'
import type { Voice } from '../../voice.ts'
import { Preferences, type PreferencesOptions } from './preferences.ts'
import { NcSettings } from './settings-view.ts'

export interface SettingsOptions extends PreferencesOptions {
  voice: Pick<Voice, 'learn'>
}

/** @returns what <nc-settings> shows */
export function createSettings({ voice, ...options }: SettingsOptions): Preferences {
  NcSettings.register('nc-settings')
  voice.learn(EN_SETTINGS)
  return new Preferences(options)
}
