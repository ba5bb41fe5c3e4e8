// Runs first, before the widget's script: puts the watched network in place (network.ts).

import './network.ts'
