// Starts the dashboard: the theme and the shell.

import './styles/main.css'
import './begin.ts'
import { applyTheme } from './lib/theme.ts'
import './shell/app.ts'

applyTheme()
