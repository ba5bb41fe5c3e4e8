// Defines notifications of checks, workflows, deployments and commit statuses.

import { ACTOR, type GithubNotice, githubCampaigns, type NoticeCase, p, REPO, REPO_LINK } from './notice.ts'

/** Some payloads leave the run's own name empty. */
const WORKFLOW = p('workflow_run.name', ' | default: event.properties.workflow.name | default: "The workflow"')

/** Maps failures to urgent and cancellations to a warning; all other runs succeeded. */
function byConclusion(of: string, name: string): NoticeCase[] {
  const conclusion = `event.properties.${of}.conclusion`
  return [
    {
      key: 'failed',
      when: `${conclusion} in ["failure", "timed_out", "startup_failure"]`,
      title: `${name} failed`,
      icon: 'error',
      priority: 'urgent',
    },
    { key: 'succeeded', when: `${conclusion} == "success"`, title: `${name} succeeded`, icon: 'success' },
  ]
}

const onSuite = {
  body: `${p('check_suite.head_branch', ' | default: "a commit"')} · ${REPO}`,
  link: `${REPO_LINK}/commit/${p('check_suite.head_sha')}`,
}
const onDeployment = {
  body: `${p('deployment.ref')} · ${REPO}`,
  entity: `deployment:${p('deployment.id')}`,
  link: `${REPO_LINK}/deployments`,
}

const NOTICES: readonly GithubNotice[] = [
  {
    on: 'check_run.completed',
    title: `${p('check_run.name')} is done: ${p('check_run.conclusion')}`,
    body: `${p('check_run.check_suite.head_branch', ' | default: "a commit"')} · ${REPO}`,
    link: p('check_run.html_url'),
    cases: byConclusion('check_run', p('check_run.name')),
  },
  {
    on: 'check_run.requested_action',
    title: `${ACTOR} asked ${p('check_run.name')} for ${p('requested_action.identifier')}`,
    body: REPO,
    link: p('check_run.html_url'),
  },
  {
    on: 'check_suite.completed',
    ...onSuite,
    title: `All checks are done: ${p('check_suite.conclusion')}`,
    cases: byConclusion('check_suite', 'The check suite'),
  },
  { on: 'check_suite.requested', ...onSuite, title: `Checks were asked for`, priority: 'low' },
  {
    on: 'workflow_run.completed',
    title: `${WORKFLOW} #${p('workflow_run.run_number')} is done`,
    body: `${p('workflow_run.head_branch')} · ${REPO}`,
    link: p('workflow_run.html_url'),
    entity: `workflow-run:${p('workflow_run.id')}`,
    cases: byConclusion('workflow_run', `${WORKFLOW} #${p('workflow_run.run_number')}`),
  },
  {
    on: 'workflow_run.requested',
    title: `${WORKFLOW} #${p('workflow_run.run_number')} was started`,
    body: REPO,
    link: p('workflow_run.html_url'),
    priority: 'low',
  },
  {
    on: 'workflow_job.completed',
    title: `The job ${p('workflow_job.name')} is done`,
    body: REPO,
    link: p('workflow_job.html_url'),
    priority: 'low',
    cases: byConclusion('workflow_job', `The job ${p('workflow_job.name')}`),
  },
  {
    on: 'workflow_job.waiting',
    title: `The job ${p('workflow_job.name')} waits for a go`,
    body: REPO,
    link: p('workflow_job.html_url'),
    icon: 'warning',
    priority: 'high',
  },
  {
    on: 'workflow_dispatch',
    title: `${ACTOR} started a workflow by hand`,
    body: `${p('workflow')} · ${REPO}`,
    link: `${REPO_LINK}/actions`,
  },
  {
    on: 'deployment.created',
    ...onDeployment,
    title: `${p('deployment.creator.login')} deploys to ${p('deployment.environment')}`,
  },
  {
    on: 'deployment_status.created',
    ...onDeployment,
    title: `The deployment to ${p('deployment_status.environment', ' | default: event.properties.deployment.environment')} is ${p('deployment_status.state', ' | replace: "_", " "')}`,
    cases: [
      {
        key: 'failed',
        when: 'event.properties.deployment_status.state in ["failure", "error"]',
        icon: 'error',
        priority: 'urgent',
      },
      {
        key: 'live',
        when: 'event.properties.deployment_status.state == "success"',
        title: `${p('deployment.environment')} is live`,
        icon: 'success',
        priority: 'high',
      },
    ],
  },
  {
    on: 'deployment_review.requested',
    title: `${p('environment')} waits for your approval`,
    body: `${p('workflow_run.display_title')} · ${REPO}`,
    link: p('workflow_run.html_url'),
    icon: 'warning',
    priority: 'urgent',
    actions: [{ label: 'Approve or refuse', link: p('workflow_run.html_url'), style: 'primary' }],
  },
  {
    on: 'status',
    title: `${p('context')}: ${p('state')}`,
    body: `${p('commit.commit.message', ' | truncate: 120')} · ${p('name')}`,
    link: p('commit.html_url'),
    priority: 'low',
    cases: [
      { key: 'failed', when: 'event.properties.state in ["failure", "error"]', icon: 'error', priority: 'high' },
      { key: 'passed', when: 'event.properties.state == "success"', icon: 'success' },
    ],
  },
  {
    on: 'repository_import',
    title: `The import of ${REPO} ended: ${p('status')}`,
    body: p('organization.login'),
    icon: 'success',
    cases: [{ key: 'failed', when: 'event.properties.status != "success"', icon: 'error', priority: 'high' }],
  },
]

export const AUTOMATION_CAMPAIGNS = githubCampaigns('automation', NOTICES)
