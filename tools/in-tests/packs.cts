// Written by `npm run types:pack` from packs/; a test compares. Change the packs, not this file.

/** Names that the pack bank-data declares. */
export interface BankData {
  readonly causes: {
    /** The person has changed their password at the bank. */
    readonly "item.login_changed": { readonly item_id: string };
    /** The person has logged in again. */
    readonly "item.login_mended": { readonly item_id: string };
    /** The consent of the person ends soon; after that the item needs a new login. */
    readonly "item.consent_ends": { readonly item_id: string; readonly after?: "1d" | "7d" | "30d" };
    /** The institution will end the connection in a week. */
    readonly "item.disconnects": { readonly item_id: string };
    /** The person takes the permission back, at the institution or the vendor's portal. */
    readonly "item.permission_revoked": { readonly item_id: string };
    /** The person has one more account; update mode with account selection adds it. */
    readonly "item.account_opened": { readonly item_id: string; readonly mask?: "0000" | "1111" | "2222" | "3333" | "4444" | "7777" };
    /** An institution does not respond for now. */
    readonly "institution.went_down": { readonly institution_id?: string };
    /** An institution responds again. */
    readonly "institution.recovered": { readonly institution_id?: string };
    /** The vendor has pulled the next part of the transactions. */
    readonly "transactions.pulled": { readonly item_id: string };
    /** Money moves on an account; pending until the bank posts it. */
    readonly "transaction.made": { readonly account_id: string; readonly amount: number; readonly name: string; readonly pending?: boolean };
    /** The bank posts a pending transaction; a new transaction replaces it. */
    readonly "transaction.posted": { readonly transaction_id: string; readonly amount?: number };
    /** The bank says something else of a transaction. */
    readonly "transaction.corrected": { readonly transaction_id: string; readonly amount?: number; readonly name?: string };
    /** The bank takes a transaction back. */
    readonly "transaction.withdrawn": { readonly transaction_id: string };
    /** Somebody logs in at their bank through Link, or again in its update mode. */
    readonly "link.finished": { readonly link_token: string; readonly institution_id?: string; readonly username?: string; readonly password?: string };
    /** Somebody leaves Link without a login. */
    readonly "link.exited": { readonly link_token: string; readonly code?: "ITEM_LOGIN_REQUIRED" | "ITEM_NOT_FOUND" | "ITEM_LOCKED" | "ITEM_NOT_SUPPORTED" | "ITEM_NO_ERROR" | "ACCESS_NOT_GRANTED" | "USER_PERMISSION_REVOKED" | "INVALID_CREDENTIALS" | "INVALID_MFA" | "INSUFFICIENT_CREDENTIALS" | "USER_SETUP_REQUIRED" | "NO_ACCOUNTS" | "NO_AUTH_ACCOUNTS" | "PRODUCT_NOT_READY" | "PRODUCTS_NOT_SUPPORTED" | "INSTITUTION_DOWN" | "INSTITUTION_NOT_RESPONDING" | "INSTITUTION_NOT_AVAILABLE" | "INSTITUTION_NO_LONGER_SUPPORTED" | "INVALID_INSTITUTION" | "INVALID_ACCOUNT_ID" | "INVALID_WEBHOOK_VERIFICATION_KEY_ID" | "SANDBOX_WEBHOOK_INVALID" | "SANDBOX_PRODUCT_NOT_ENABLED" | "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION" | "RATE_LIMIT" | "TRANSACTIONS_LIMIT" | "INTERNAL_SERVER_ERROR" | "PLANNED_MAINTENANCE" };
  };
  readonly operations: {
    readonly "accounts": "get" | "balance" | "auth" | "identity";
    readonly "changes": never;
    readonly "feeds": never;
    readonly "institutions": "get" | "by_id" | "search";
    readonly "items": "get" | "remove" | "webhook" | "rotate" | "reset_login" | "fire_webhook";
    readonly "link_tokens": "create" | "get";
    readonly "notices": never;
    readonly "outages": never;
    readonly "public_tokens": "create" | "exchange" | "again";
    readonly "receivers": never;
    readonly "transactions": "get" | "sync" | "refresh" | "enter";
    readonly "verification_keys": "get";
  };
  readonly durations: "initial_pull" | "historical_pull" | "posting_time" | "consent_life" | "consent_warning" | "link_life" | "public_token_life";
  readonly scenarios: "item_login_required" | "item_not_found" | "item_locked" | "item_not_supported" | "item_no_error" | "access_not_granted" | "user_permission_revoked" | "invalid_credentials" | "invalid_mfa" | "insufficient_credentials" | "user_setup_required" | "no_accounts" | "no_auth_accounts" | "product_not_ready" | "products_not_supported" | "institution_down" | "institution_not_responding" | "institution_not_available" | "institution_no_longer_supported" | "invalid_institution" | "invalid_account_id" | "invalid_webhook_verification_key_id" | "sandbox_webhook_invalid" | "sandbox_product_not_enabled" | "transactions_sync_mutation_during_pagination" | "rate_limit" | "transactions_limit" | "internal_server_error" | "planned_maintenance" | "balance_limit" | "slow";
  readonly pins: `balances.${string}` | `account.balances.${string}` | "outcome" | "transaction.outcome" | "posted_amount" | "transaction.posted_amount";
  readonly branches: never;
  readonly testValues: never;
  readonly events: "ITEM.ERROR" | "ITEM.LOGIN_REPAIRED" | "ITEM.PENDING_EXPIRATION" | "ITEM.PENDING_DISCONNECT" | "ITEM.USER_PERMISSION_REVOKED" | "ITEM.USER_ACCOUNT_REVOKED" | "ITEM.NEW_ACCOUNTS_AVAILABLE" | "ITEM.WEBHOOK_UPDATE_ACKNOWLEDGED" | "TRANSACTIONS.INITIAL_UPDATE" | "TRANSACTIONS.HISTORICAL_UPDATE" | "TRANSACTIONS.DEFAULT_UPDATE" | "TRANSACTIONS.TRANSACTIONS_REMOVED" | "TRANSACTIONS.SYNC_UPDATES_AVAILABLE" | "TRANSACTIONS.RECURRING_TRANSACTIONS_UPDATE" | "LINK.SESSION_FINISHED";
  readonly errors: "api_key_missing" | "api_key_invalid" | "unknown_route" | "not_found" | "parameter_missing" | "parameter_invalid" | "parameter_unknown" | "body_too_large" | "body_malformed" | "wrong_state" | "refused" | "token_shape" | "no_token" | "token_over" | "balance_limit" | "no_product" | "wrong_products" | "products_twice" | "redirect_insecure" | "redirect_query" | "days_reversed" | "bad_cursor" | "fault" | "internal_error";
}

/** Names that the pack code-hosting declares. */
export interface CodeHosting {
  readonly causes: {
    /** A person signs in to an application. The code goes back to it. */
    readonly "oauth.authorized": { readonly authorization: string; readonly login?: string };
    /** A person does not sign in to an application. */
    readonly "oauth.declined": { readonly authorization: string };
    /** A reviewer approves, asks for changes or comments. */
    readonly "review.submitted": { readonly pull: string; readonly login?: string; readonly state?: "approve" | "request_changes" | "comment"; readonly body?: string };
    /** Somebody merges the pull request. */
    readonly "pull_request.merged": { readonly pull: string };
    /** The check's service reports its end. */
    readonly "check_run.completed": { readonly check_run: string; readonly conclusion?: "success" | "failure" | "neutral" | "cancelled" | "skipped" | "timed_out" | "action_required" };
    /** The runner ends the job now. */
    readonly "workflow_job.completed": { readonly job: string; readonly conclusion?: "success" | "failure" | "cancelled" | "timed_out" };
    /** The invited person accepts. */
    readonly "invitation.accepted": { readonly invitation: string };
    /** The invited person joins the organization. */
    readonly "membership.accepted": { readonly membership: string };
    /** The token ends. */
    readonly "token.revoked": { readonly token: string };
    /** Somebody installs an app at a person or an organization. */
    readonly "app.installed": { readonly app: string; readonly login?: string };
    /** The app may not act any more. */
    readonly "installation.suspended": { readonly installation: string };
    /** A token is found in a file of the default branch. */
    readonly "secret_alert.found": { readonly repository: string; readonly secret_type?: "github_personal_access_token" | "aws_access_key_id" | "slack_api_token" | "stripe_api_key" | "google_api_key"; readonly secret?: string; readonly path?: string | null };
  };
  readonly operations: {
    readonly "access_tokens": "create" | "revoke";
    readonly "apps": "retrieve" | "by_slug";
    readonly "artifacts": "list" | "of_run" | "retrieve" | "download" | "delete";
    readonly "authorizations": "authorize" | "token";
    readonly "autolinks": "create" | "list" | "retrieve" | "delete";
    readonly "blobs": "make" | "show";
    readonly "check_runs": "create" | "retrieve" | "update" | "rerequest" | "annotations" | "list" | "of_suite";
    readonly "check_suites": "retrieve" | "list";
    readonly "collaborators": "list" | "check" | "permission" | "invite" | "delete";
    readonly "comments": "create" | "list" | "of_repository" | "retrieve" | "update" | "delete";
    readonly "commits": "make" | "show_plain" | "list" | "show" | "pulls" | "compare" | "contributors" | "merge_upstream" | "merge";
    readonly "commit_comments": "create" | "list" | "of_commit" | "retrieve" | "update" | "delete";
    readonly "deliveries": never;
    readonly "deploy_keys": "create" | "list" | "retrieve" | "delete";
    readonly "deployments": "create" | "retrieve" | "list" | "delete";
    readonly "deployment_statuses": "create" | "list" | "retrieve";
    readonly "environments": "list" | "retrieve" | "put" | "delete";
    readonly "files": "put" | "show" | "top" | "readme" | "remove" | "search";
    readonly "former_names": never;
    readonly "git_refs": "make" | "show" | "show_old" | "list" | "matching" | "move" | "drop" | "branches" | "branch" | "protection" | "protect" | "unprotect" | "tags";
    readonly "hooks": "create" | "create_in_org" | "retrieve" | "update" | "delete" | "list" | "of_org" | "ping" | "config" | "configure" | "app_config" | "configure_app" | "deliveries" | "app_deliveries" | "delivery" | "app_delivery" | "redeliver" | "redeliver_to_app";
    readonly "installations": "list" | "retrieve" | "delete" | "suspend" | "unsuspend" | "of_org" | "of_user" | "of_repo" | "repositories" | "mine";
    readonly "invitations": "list" | "cancel" | "mine" | "accept" | "decline";
    readonly "issues": "create" | "retrieve" | "update" | "list" | "mine" | "search" | "lock" | "unlock" | "labels" | "add_labels" | "set_labels" | "clear_labels" | "remove_label" | "add_assignees" | "remove_assignees" | "possible_assignee";
    readonly "issue_events": "list" | "retrieve" | "of_issue" | "timeline";
    readonly "labels": "create" | "retrieve" | "update" | "delete" | "list";
    readonly "limits": "markdown" | "markdown_raw" | "root" | "show";
    readonly "merge_checks": never;
    readonly "milestones": "create" | "retrieve" | "update" | "delete" | "list";
    readonly "nodes": "show" | "search" | "remove_labels" | "update_pull" | "delete_issue" | "ref" | "refs" | "make_ref" | "history" | "object" | "commit_on_branch" | "set_draft" | "request_reviews" | "enable_auto_merge" | "disable_auto_merge";
    readonly "notifications": "list" | "of_repository" | "read_all" | "retrieve" | "read" | "finish" | "subscription" | "subscribe" | "unsubscribe";
    readonly "oauth_apps": never;
    readonly "org_members": "list" | "retrieve" | "check" | "check_public" | "put" | "delete" | "mine" | "of_user";
    readonly "protections": "reviews" | "set_reviews" | "drop_reviews" | "checks" | "set_checks" | "drop_checks" | "contexts" | "set_contexts" | "switch" | "set_switch" | "restrictions" | "drop_restrictions" | "restricted" | "set_restricted";
    readonly "pulls": "create" | "retrieve" | "update" | "list" | "commits" | "files" | "is_merged" | "merge" | "update_branch" | "reviewers" | "request_reviewers" | "unrequest_reviewers";
    readonly "reactions": "on_issue" | "of_issue" | "off_issue" | "on_comment" | "of_comment" | "off_comment" | "on_review_comment" | "of_review_comment" | "off_review_comment" | "on_release" | "of_release" | "off_release" | "on_commit_comment" | "of_commit_comment" | "off_commit_comment";
    readonly "releases": "create" | "generate_notes" | "retrieve" | "latest" | "by_tag" | "update" | "delete" | "list";
    readonly "release_assets": "create" | "list" | "retrieve" | "download" | "update" | "delete";
    readonly "repos": "create" | "create_in_org" | "retrieve" | "update" | "transfer" | "delete" | "fork" | "forks" | "list" | "of_org" | "of_user" | "topics" | "set_topics" | "dispatch" | "languages" | "search";
    readonly "reviews": "create" | "list" | "retrieve" | "update" | "submit" | "dismiss" | "delete";
    readonly "review_comments": "create" | "reply" | "list" | "of_review" | "retrieve" | "update" | "delete";
    readonly "secrets": "public_key" | "list" | "show" | "put" | "remove" | "repositories" | "set_repositories" | "choose_repository" | "drop_repository";
    readonly "secret_alerts": "list" | "of_org" | "retrieve" | "update" | "locations";
    readonly "statuses": "create" | "list" | "combined";
    readonly "tags": "create" | "retrieve";
    readonly "teams": "list" | "mine" | "create" | "retrieve" | "update" | "delete";
    readonly "team_members": "list" | "retrieve" | "put" | "delete";
    readonly "team_repos": "list" | "put";
    readonly "threads": "list" | "resolve" | "open" | "comment" | "reply" | "submit" | "comments" | "review" | "reply_to" | "minimize" | "react" | "unreact" | "reactions" | "reaction_groups" | "html" | "participants" | "closes" | "timeline" | "suite" | "entry" | "rate";
    readonly "trees": "make" | "show";
    readonly "users": "assignable" | "search" | "retrieve" | "me" | "emails" | "organization";
    readonly "variables": "list" | "create" | "show" | "change" | "remove";
    readonly "workflows": "list" | "show" | "enable" | "disable" | "dispatch";
    readonly "workflow_jobs": "retrieve" | "list" | "logs" | "log";
    readonly "workflow_runs": "list" | "of_workflow" | "retrieve" | "cancel" | "force_cancel" | "rerun" | "rerun_failed_jobs" | "delete";
  };
  readonly durations: "mergeability" | "queue_time" | "job_time" | "cancel_time" | "update_branch" | "invitation_life" | "artifact_life" | "check_life";
  readonly scenarios: never;
  readonly pins: "conclusion" | "check_run.conclusion" | "mergeable" | "pull.mergeable" | "workflow_job.conclusion";
  readonly branches: never;
  readonly testValues: never;
  readonly events: "check_run.created" | "check_run.completed" | "check_run.rerequested" | "check_suite.requested" | "check_suite.completed" | "member.added" | "member.removed" | "issue_comment.created" | "issue_comment.edited" | "commit_comment.created" | "deployment.created" | "deployment_status.created" | "ping" | "redelivery" | "installation.created" | "installation.deleted" | "installation.suspend" | "issues.opened" | "issues.closed" | "issues.deleted" | "issues.reopened" | "issues.edited" | "issues.labeled" | "issues.unlabeled" | "issues.assigned" | "issues.locked" | "issues.unlocked" | "label.created" | "label.edited" | "label.deleted" | "organization.member_invited" | "organization.member_added" | "organization.member_removed" | "pull_request.opened" | "pull_request.closed" | "pull_request.reopened" | "pull_request.edited" | "pull_request.labeled" | "pull_request.unlabeled" | "pull_request.review_request_removed" | "pull_request.auto_merge_enabled" | "pull_request.auto_merge_disabled" | "pull_request.synchronize" | "pull_request.converted_to_draft" | "pull_request.ready_for_review" | "pull_request.review_requested" | "release.published" | "repository.created" | "repository.deleted" | "repository.renamed" | "repository.transferred" | "repository.archived" | "repository.unarchived" | "repository.privatized" | "repository.publicized" | "fork" | "repository_dispatch" | "push" | "create" | "delete" | "pull_request_review.submitted" | "pull_request_review.dismissed" | "pull_request_review_comment.created" | "secret_scanning_alert.created" | "secret_scanning_alert.resolved" | "secret_scanning_alert.reopened" | "secret_scanning_alert_location.created" | "status" | "team.created" | "team.edited" | "team.deleted" | "membership.added" | "membership.removed" | "workflow_job.queued" | "workflow_job.in_progress" | "workflow_job.completed" | "workflow_run.requested" | "workflow_run.in_progress" | "workflow_run.completed";
  readonly errors: "api_key_missing" | "api_key_invalid" | "token_expired" | "scope_missing" | "must_push" | "must_administer" | "archived" | "rate_limited" | "jwt_wrong" | "not_for_tokens" | "suspended" | "unknown_route" | "not_found" | "nothing_there" | "empty_repository" | "app_missing" | "label_missing" | "branch_missing" | "unprotected" | "issues_disabled" | "expired" | "moved" | "body_malformed" | "not_acceptable" | "body_too_large" | "parameter_missing" | "parameter_invalid" | "parameter_empty" | "parameter_too_long" | "parameter_unknown" | "invalid" | "invalid_all" | "invalid_as" | "unprocessable" | "rejected" | "repository_taken" | "id_taken" | "sha_differs" | "merge_conflict" | "head_moved" | "unmergeable" | "conflict" | "wrong_state" | "fault" | "internal_error";
}

/** Names that the pack identity declares. */
export interface Identity {
  readonly causes: {
    /** New keys sign. The key set has the old ones for a day. */
    readonly "keys.rotated": Readonly<Record<string, never>>;
    /** New keys sign, and the old ones are not in the key set any more. */
    readonly "keys.compromised": Readonly<Record<string, never>>;
    /** A session ends. */
    readonly "session.expired": { readonly session_id: string };
    /** An administrator blocks a user; sessions and refresh tokens end. */
    readonly "user.blocked": { readonly user_id: string };
    /** A user may sign in again. */
    readonly "user.unlocked": { readonly user_id: string };
    /** A user follows the link of the mail. */
    readonly "email.verified": { readonly user_id: string };
    /** A user does not allow an application anything any more. */
    readonly "consent.withdrawn": { readonly grant_id: string };
    /** Somebody else uses a refresh token first. Who uses it next is taken for the thief, and all tokens of the sign-in end. */
    readonly "refresh_token.stolen": { readonly refresh_token_id: string };
    /** An access token is not good any more. */
    readonly "access_token.revoked": { readonly access_token_id: string };
    /** A user has lost a factor, and support has removed it. */
    readonly "factor.lost": { readonly factor_id: string };
    /** A user has made a passkey on a device. */
    readonly "passkey.registered": { readonly user_id: string };
    /** A code that was sent is over before it is given. */
    readonly "code.expired": { readonly challenge_id: string };
    /** Somebody signs in at the other provider; the page of the sign-in leads on when it is opened again. */
    readonly "social.signed_in": { readonly interaction_id: string; readonly email: string; readonly email_verified?: boolean; readonly name?: string; readonly sub?: string };
    /** The other provider says no. */
    readonly "social.refused": { readonly interaction_id: string };
    /** Somebody signs in for a device. */
    readonly "device.approved": { readonly device_code_id: string; readonly user: string };
    /** Somebody says no to a device. */
    readonly "device.denied": { readonly device_code_id: string };
    /** Somebody accepts an invitation. */
    readonly "invitation.accepted": { readonly invitation_id: string };
  };
  readonly operations: {
    readonly "access_tokens": "token" | "userinfo" | "introspect" | "revoke" | "logout";
    readonly "apis": "create" | "retrieve" | "list" | "update" | "delete";
    readonly "assignments": never;
    readonly "authorization_codes": never;
    readonly "challenges": "start" | "follow" | "userland_magic" | "userland_magic_retrieve" | "userland_verification";
    readonly "claim_rules": "create" | "list" | "delete";
    readonly "clients": "create" | "retrieve" | "list" | "update" | "delete" | "rotate_secret";
    readonly "connections": "create" | "retrieve" | "list" | "update" | "delete" | "userland_retrieve" | "userland_list" | "userland_delete" | "userland_sso_token" | "userland_sso_profile";
    readonly "device_codes": "start" | "answer";
    readonly "dpop_proofs": never;
    readonly "factors": "shown" | "of_user" | "add" | "retrieve_of_user" | "remove" | "remove_all" | "enrollments" | "userland_enroll" | "userland_list" | "renew_recovery_code";
    readonly "grants": "list" | "delete";
    readonly "identifications": "backend_create_email" | "backend_create_phone" | "backend_retrieve" | "backend_update" | "backend_delete";
    readonly "interactions": "authorize" | "respond" | "login" | "pick" | "passkey" | "send_code" | "enter_code" | "second_factor" | "enroll" | "elsewhere" | "arrived" | "choose_connection" | "continue" | "sign_up" | "consent";
    readonly "invitations": "list" | "userland_send" | "userland_retrieve" | "userland_by_token" | "userland_list" | "userland_accept" | "userland_revoke" | "userland_resend" | "backend_create" | "backend_create_bulk" | "backend_list" | "backend_revoke" | "backend_invite" | "backend_invite_bulk" | "backend_of_organization" | "backend_of_user" | "backend_retrieve";
    readonly "jwt_templates": "backend_create" | "backend_retrieve" | "backend_list" | "backend_update" | "backend_delete";
    readonly "logs": "list" | "retrieve" | "of_user";
    readonly "log_streams": "create" | "retrieve" | "list" | "update" | "delete";
    readonly "memberships": "userland_create" | "userland_retrieve" | "userland_list" | "userland_update" | "userland_delete" | "userland_deactivate" | "userland_reactivate" | "backend_create" | "backend_list" | "backend_of_user" | "backend_update" | "backend_metadata" | "backend_delete";
    readonly "messages": "list";
    readonly "mfa_requests": "authenticators" | "associate" | "challenge";
    readonly "organizations": "create" | "retrieve" | "by_name" | "list" | "of_user" | "update" | "delete" | "add_members" | "remove_members" | "invite" | "userland_create" | "userland_retrieve" | "userland_by_external_id" | "userland_list" | "userland_update" | "userland_delete" | "backend_create" | "backend_retrieve" | "backend_list" | "backend_update" | "backend_metadata" | "backend_delete";
    readonly "providers": "retrieve" | "update" | "find_device" | "policies" | "set_policies" | "guardian_factors";
    readonly "pushed_requests": "push";
    readonly "refresh_tokens": "retrieve" | "delete" | "of_user";
    readonly "roles": "create" | "retrieve" | "list" | "update" | "delete" | "permissions" | "permit" | "of_user" | "userland_list" | "userland_create" | "backend_list" | "backend_create" | "backend_retrieve" | "backend_update" | "backend_delete";
    readonly "sessions": "retrieve" | "delete" | "of_user" | "userland_authenticate" | "userland_list" | "userland_revoke" | "userland_logout" | "backend_create" | "backend_retrieve" | "backend_list" | "backend_revoke" | "backend_token" | "backend_refresh" | "backend_clients" | "backend_client" | "backend_client_verify";
    readonly "sign_in_tokens": "backend_create" | "backend_create_actor" | "backend_revoke" | "backend_accept";
    readonly "signing_keys": "list" | "rotate" | "jwks" | "userland_jwks" | "backend_jwks" | "discovery";
    readonly "tickets": "verify_email" | "change_password" | "use" | "userland_reset" | "userland_reset_retrieve" | "userland_reset_confirm";
    readonly "users": "create" | "retrieve" | "list" | "by_email" | "update" | "delete" | "of_role" | "of_organization" | "give_roles" | "take_roles" | "end_sessions" | "blocks" | "unlock" | "sign_up" | "forgot_password" | "userland_create" | "userland_retrieve" | "userland_by_external_id" | "userland_list" | "userland_update" | "userland_delete" | "userland_identities" | "userland_send_verification" | "userland_verify" | "backend_create" | "backend_retrieve" | "backend_list" | "backend_count" | "backend_update" | "backend_merge_metadata" | "backend_replace_metadata" | "backend_delete" | "backend_ban" | "backend_unban" | "backend_lock" | "backend_unlock" | "backend_verify_password" | "backend_remove_password" | "backend_verify_totp" | "backend_disable_mfa" | "backend_provider_token";
    readonly "userland_events": "list";
    readonly "userland_webhooks": "create" | "list" | "update" | "delete";
  };
  readonly durations: "session_life" | "interaction_life" | "code_life" | "access_life" | "id_life" | "refresh_life" | "challenge_life" | "mfa_life" | "push_life" | "device_life" | "lock_time" | "invitation_life" | "key_overlap";
  readonly scenarios: "outage" | "slow" | "rate_limited" | "server_error" | "code_used";
  readonly pins: "signs_in" | "interaction.signs_in" | "factor" | "interaction.factor" | "profile" | "interaction.profile";
  readonly branches: never;
  readonly testValues: never;
  readonly events: "seacft" | "seccft" | "sertft" | "sedcft" | "sepft" | "setot" | "backchannel_logout" | "ferrt" | "organizationInvitation.created" | "organizationInvitation.accepted" | "organizationInvitation.revoked" | "invitation.created" | "invitation.accepted" | "invitation.revoked" | "organizationMembership.created" | "organizationMembership.updated" | "organizationMembership.deleted" | "organization_membership.created" | "organization_membership.updated" | "organization_membership.deleted" | "organization.created" | "organization.updated" | "organization.deleted" | "role.created" | "role.updated" | "role.deleted" | "session.created" | "session.revoked" | "ss" | "scpr" | "s" | "f" | "fp" | "slo" | "gd_auth_failed" | "sapi" | "limit_wc" | "user.created" | "user.updated" | "user.deleted" | "authentication.password_succeeded" | "authentication.password_failed" | "authentication.magic_auth_succeeded" | "authentication.passkey_succeeded" | "authentication.sso_succeeded";
  readonly errors: "api_key_missing" | "api_key_invalid" | "token_expired" | "scope_missing" | "call_embedded" | "body_too_large" | "unknown_route" | "not_found" | "parameter_missing" | "parameter_invalid" | "body_malformed" | "id_taken" | "wrong_state" | "exists" | "inexistent" | "refused" | "parameter_unknown" | "oauth" | "backend" | "backend_taken" | "userland" | "userland_invalid" | "userland_pending" | "mfa_required" | "fault" | "internal_error";
}

/** Names that the pack mail declares. */
export interface Mail {
  readonly causes: {
    /** Somebody writes to an address of the account, or answers an email (`in_reply_to`). */
    readonly "email.received": { readonly from?: string; readonly to?: string; readonly subject?: string; readonly text?: string; readonly html?: string; readonly in_reply_to?: string; readonly attachments?: readonly ({ readonly filename?: string; readonly content: string; readonly content_type?: string })[] };
    /** The recipient's mail server takes the email. */
    readonly "email.delivered": { readonly email_id: string };
    /** The recipient's mail server does not take the email now. */
    readonly "email.delayed": { readonly email_id: string };
    /** The recipient's mail server rejects the email. After a hard bounce, the address gets nothing any more. */
    readonly "email.bounced": { readonly email_id: string; readonly kind?: "hard" | "soft" };
    /** The recipient opens the email. */
    readonly "email.opened": { readonly email_id: string };
    /** The recipient follows a link of the email. */
    readonly "email.clicked": { readonly email_id: string; readonly link?: string };
    /** The recipient takes the email for spam, and gets nothing any more. */
    readonly "email.complained": { readonly email_id: string };
    /** The email cannot be sent. */
    readonly "email.failed": { readonly email_id: string };
    /** Somebody does not want broadcasts any more. */
    readonly "contact.unsubscribed": { readonly contact_id: string };
    /** The records of a domain are found. */
    readonly "domain.verified": { readonly domain_id: string };
    /** Records of a verified domain are gone. */
    readonly "domain.broken": { readonly domain_id: string };
    /** The records of a domain are not found in time. */
    readonly "domain.failed": { readonly domain_id: string };
    /** A webhook is switched off, as after days of failures. */
    readonly "webhook.disabled": { readonly webhook_id: string };
  };
  readonly operations: {
    readonly "api_keys": "create" | "list" | "update" | "delete";
    readonly "attachments": "list_of_email" | "retrieve_of_email" | "list_of_received" | "retrieve_of_received" | "download";
    readonly "broadcasts": "create" | "retrieve" | "list" | "update" | "delete" | "send" | "cancel";
    readonly "contacts": "create" | "retrieve" | "list" | "update" | "remove" | "add_to_segment" | "remove_from_segment" | "choose";
    readonly "contact_properties": "create" | "retrieve" | "list" | "update" | "delete";
    readonly "contact_topics": never;
    readonly "domains": "create" | "retrieve" | "list" | "update" | "delete" | "verify";
    readonly "emails": "create" | "batch" | "send_personalized" | "send_one" | "retrieve" | "list" | "update" | "cancel" | "share" | "list_of_broadcast";
    readonly "events": never;
    readonly "mailboxes": never;
    readonly "message_streams": "send_many" | "send_many_of_templates";
    readonly "received_emails": "retrieve" | "list";
    readonly "segments": "create" | "retrieve" | "list" | "delete" | "list_of_contact";
    readonly "segment_members": never;
    readonly "suppressions": "create" | "list" | "add_all" | "remove_all" | "retrieve" | "remove";
    readonly "templates": "list_numbered" | "create_numbered" | "retrieve_numbered" | "update_numbered" | "remove_numbered" | "validate_numbered" | "create" | "retrieve" | "list" | "update" | "remove" | "publish" | "duplicate";
    readonly "topics": "create" | "retrieve" | "list" | "update" | "delete" | "list_of_contact";
    readonly "webhooks": "create" | "retrieve" | "list" | "update" | "delete" | "signing_key";
  };
  readonly durations: "queue_time" | "delivery_time" | "retry_time" | "complaint_time" | "dns_time" | "dns_life" | "broadcast_time" | "link_life" | "retry_1" | "retry_2" | "retry_3" | "retry_4" | "retry_5" | "retry_6";
  readonly scenarios: "rate_limited" | "daily_quota" | "monthly_quota" | "concurrent" | "bounced" | "full" | "delayed" | "complained" | "suppressed" | "failed";
  readonly pins: "dns" | "domain.dns" | "outcome" | "email.outcome";
  readonly branches: never;
  readonly testValues: never;
  readonly events: "contact.created" | "contact.updated" | "contact.deleted" | "domain.created" | "domain.updated" | "domain.deleted" | "email.scheduled" | "email.sent" | "email.delivered" | "email.delivery_delayed" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.failed" | "email.suppressed" | "email.received";
  readonly errors: "api_key_missing" | "api_key_invalid" | "token_expired" | "scope_missing" | "unknown_route" | "method_not_allowed" | "not_found" | "parameter_missing" | "parameter_empty" | "parameter_invalid" | "parameter_invalid_enum" | "body_malformed" | "body_too_large" | "id_taken" | "wrong_state" | "refused" | "template_too_deep" | "idempotency_key_too_long" | "idempotency_mismatch" | "idempotency_other_route" | "idempotency_in_flight" | "rate_limited" | "daily_quota_exceeded" | "monthly_quota_exceeded" | "fault" | "internal_error";
}

/** Names that the pack messaging declares. */
export interface Messaging {
  readonly causes: {
    /** Somebody writes to a number of the account. STOP opts them out, START in again. */
    readonly "message.received": { readonly From?: string; readonly To?: string; readonly Body?: string; readonly MediaUrl?: readonly (string)[] };
    /** The message arrives. */
    readonly "message.delivered": { readonly sid: string };
    /** The carrier cannot deliver the message. */
    readonly "message.undelivered": { readonly sid: string; readonly error_code?: number };
    /** The message cannot be sent. */
    readonly "message.failed": { readonly sid: string; readonly error_code?: number };
    /** The recipient opens the message. */
    readonly "message.read": { readonly sid: string };
    /** Somebody calls a number of the account. */
    readonly "call.received": { readonly From?: string; readonly To?: string };
    /** Somebody answers the call. */
    readonly "call.answered": { readonly sid: string };
    /** The line is busy. */
    readonly "call.busy": { readonly sid: string };
    /** Nobody answers the call. */
    readonly "call.unanswered": { readonly sid: string };
    /** The call cannot be put through. */
    readonly "call.failed": { readonly sid: string };
    /** Somebody hangs up. */
    readonly "call.hung_up": { readonly sid: string };
    /** The time of a code is over. */
    readonly "verification.expired": { readonly sid: string };
    /** The vendor suspends an account. */
    readonly "account.suspended": { readonly sid: string };
    /** The vendor opens an account again. */
    readonly "account.reactivated": { readonly sid: string };
  };
  readonly operations: {
    readonly "accounts": "create" | "list" | "retrieve" | "update" | "balance";
    readonly "calls": "create" | "retrieve" | "update" | "delete" | "list";
    readonly "callbacks": never;
    readonly "media_list": "list" | "retrieve" | "delete";
    readonly "messages": "create" | "retrieve" | "update" | "delete" | "list";
    readonly "messaging_services": "create" | "retrieve" | "update" | "delete" | "list";
    readonly "notices": never;
    readonly "opt_outs": never;
    readonly "phone_lines": "fetch";
    readonly "incoming_phone_numbers": "create" | "retrieve" | "update" | "delete" | "list" | "available" | "add_to_service" | "list_of_service" | "show_of_service" | "remove_from_service";
    readonly "verifications": "create" | "retrieve" | "update" | "check";
    readonly "verify_services": "create" | "retrieve" | "update" | "delete" | "list";
  };
  readonly durations: "queue_time" | "send_time" | "hand_over_time" | "delivery_time" | "dial_time" | "ring_time" | "ring_out" | "call_time" | "verification_life";
  readonly scenarios: "rate_limited" | "wrong_token" | "unavailable" | "queue_full" | "opted_out" | "no_region" | "fraud" | "undelivered" | "failed" | "busy" | "unanswered" | "slow";
  readonly pins: "outcome" | "call.outcome" | "message.outcome" | "error_code" | "message.error_code" | "code" | "verification.code";
  readonly branches: never;
  readonly testValues: never;
  readonly events: "call.status" | "call.answered" | "call.incoming" | "message.status" | "message.incoming";
  readonly errors: "api_key_missing" | "api_key_invalid" | "token_expired" | "rate_limited" | "unknown_route" | "not_found" | "parameter_missing" | "parameter_invalid" | "parameter_unknown" | "body_too_large" | "body_malformed" | "id_taken" | "wrong_state" | "invalid" | "refused" | "fault" | "internal_error";
}

/** Names that the pack models declares. */
export interface Models {
  readonly causes: {
    /** From now on the model answers like this to conversations that the script is for. */
    readonly "script.added": { readonly name?: string; readonly match?: { readonly api?: "chat" | "responses" | "messages" | null; readonly model?: string | null; readonly system?: string | null; readonly user?: string | null; readonly last?: string | null; readonly asked?: string | null; readonly pattern?: string | null; readonly after?: string | null; readonly turn?: number | null; readonly nth?: number | null; readonly tools?: readonly (string)[] | null; readonly where?: string | null; readonly request?: unknown }; readonly reply?: { readonly text?: string | null; readonly json?: unknown; readonly literal?: boolean; readonly pieces?: readonly (string)[] | null; readonly calls?: readonly (Readonly<Record<string, unknown>>)[] | null; readonly refusal?: string | null; readonly thinking?: string | null; readonly stop?: "end" | "length" | "sequence" | "tools" | "filter" | "refusal" | "pause" | null; readonly delay?: number | null; readonly between?: number | null; readonly error?: { readonly status?: number; readonly message?: string | null; readonly type?: string | null; readonly code?: string | null; readonly retry_after?: number | null; readonly after?: number | null } | null; readonly usage?: { readonly input?: number | null; readonly cached?: number | null; readonly output?: number | null; readonly reasoning?: number | null } | null }; readonly replies?: readonly ({ readonly text?: string | null; readonly json?: unknown; readonly literal?: boolean; readonly pieces?: readonly (unknown)[] | null; readonly calls?: readonly (unknown)[] | null; readonly refusal?: string | null; readonly thinking?: string | null; readonly stop?: "end" | "length" | "sequence" | "tools" | "filter" | "refusal" | "pause" | null; readonly delay?: number | null; readonly between?: number | null; readonly error?: Readonly<Record<string, unknown>> | null; readonly usage?: Readonly<Record<string, unknown>> | null })[] };
    /** The vendor retires a model; calls that name it fail. */
    readonly "model.retired": { readonly model: string };
    /** The time of a batch is over before its work is done. */
    readonly "batch.expired": { readonly batch_id: string };
    /** A background response fails. */
    readonly "response.failed": { readonly response_id: string; readonly message?: string };
    /** A call of the real vendor becomes a script: for the same words of the user at the same turn, whatever the model and the results of tools are. Several for one conversation are returned one after the other. */
    readonly "call.recorded": { readonly path: "/v1/chat/completions" | "/v1/responses" | "/v1/messages"; readonly request: Readonly<Record<string, unknown>>; readonly response?: Readonly<Record<string, unknown>>; readonly events?: readonly (Readonly<Record<string, unknown>>)[]; readonly status?: number; readonly name?: string };
  };
  readonly operations: {
    readonly "anthropic_files": "create" | "retrieve" | "list" | "delete" | "content";
    readonly "batches": "create" | "retrieve" | "list" | "cancel";
    readonly "chat_completions": "create" | "retrieve" | "list" | "update" | "delete" | "messages";
    readonly "conversations": "create" | "retrieve" | "update" | "delete" | "list_items" | "create_items" | "retrieve_item" | "delete_item";
    readonly "embeddings": "create";
    readonly "exchanges": never;
    readonly "files": "create" | "retrieve" | "list" | "delete" | "content";
    readonly "images": "create" | "edit" | "vary" | "picture";
    readonly "messages": "create" | "count_tokens";
    readonly "message_batches": "create" | "retrieve" | "list" | "cancel" | "delete" | "results";
    readonly "models": "list" | "list_anthropic" | "retrieve" | "retrieve_anthropic" | "delete";
    readonly "moderations": "create";
    readonly "responses": "create" | "retrieve" | "delete" | "cancel" | "input_items" | "input_tokens";
    readonly "scripts": never;
    readonly "uploads": "create" | "cancel" | "complete";
    readonly "upload_parts": "create";
  };
  readonly durations: "first_token_time" | "token_time" | "background_queue" | "background_work" | "batch_check" | "batch_work" | "upload_life" | "batch_life";
  readonly scenarios: "rate_limited" | "quota_exceeded" | "overloaded" | "unavailable" | "server_error" | "wrong_key" | "refusal" | "cut" | "filtered" | "slow";
  readonly pins: "text" | "exchange.text" | "refusal" | "exchange.refusal" | "stop" | "exchange.stop";
  readonly branches: never;
  readonly testValues: never;
  readonly events: never;
  readonly errors: "api_key_missing" | "api_key_invalid" | "rate_limited" | "unknown_route" | "method_not_allowed" | "not_found" | "thread_lost" | "model_unknown" | "version_missing" | "parameter_missing" | "parameter_unknown" | "parameter_invalid" | "parameter_invalid_integer" | "parameter_invalid_number" | "parameter_invalid_boolean" | "parameter_invalid_string" | "parameter_invalid_array" | "parameter_invalid_object" | "parameter_invalid_json_schema" | "parameter_invalid_enum" | "parameter_empty" | "parameter_too_long" | "parameter_too_many" | "parameter_below_minimum" | "parameter_above_maximum" | "body_malformed" | "body_too_large" | "content_type_unsupported" | "refused" | "schema_too_deep" | "context_exceeded" | "scripted" | "unscripted" | "wrong_state" | "id_taken" | "fault" | "internal_error";
}

/** Names that the pack payments declares. */
export interface Payments {
  readonly causes: {
    /** The issuer declines the payment. */
    readonly "payment.declined": { readonly payment_intent_id: string; readonly decline_code?: "generic_decline" | "insufficient_funds" | "expired_card" | "incorrect_cvc" | "invalid_cvc" | "processing_error" | "authentication_required" | "india_recurring_payment_mandate_canceled" | "incorrect_number" | "invalid_number" | "invalid_expiry_month" | "invalid_expiry_year" | "incorrect_zip" | "card_velocity_exceeded" | "withdrawal_count_limit_exceeded" | "card_not_supported" | "currency_not_supported" | "duplicate_transaction" | "do_not_honor" | "no_action_taken" | "lost_card" | "stolen_card" | "fraudulent" | "pickup_card" | "restricted_card" | "merchant_blacklist" | "transaction_not_allowed" | "security_violation" | "revocation_of_authorization" | "revocation_of_all_authorizations" | "call_issuer" | "try_again_later" | "reenter_transaction" | "issuer_not_available" | "service_not_allowed" | "stop_payment_order" | "not_permitted" | "new_account_information_available" | "invalid_account" | "invalid_amount" | "approve_with_id" | "highest_risk_level" | "incorrect_pin" | "invalid_pin" | "pin_try_exceeded" | "offline_pin_required" | "online_or_offline_pin_required" | "testmode_decline" | "test_mode_live_card" | "live_mode_test_card" } | { readonly subscription_id: string; readonly at?: "next_renewal"; readonly decline_code?: "generic_decline" | "insufficient_funds" | "expired_card" | "incorrect_cvc" | "invalid_cvc" | "processing_error" | "authentication_required" | "india_recurring_payment_mandate_canceled" | "incorrect_number" | "invalid_number" | "invalid_expiry_month" | "invalid_expiry_year" | "incorrect_zip" | "card_velocity_exceeded" | "withdrawal_count_limit_exceeded" | "card_not_supported" | "currency_not_supported" | "duplicate_transaction" | "do_not_honor" | "no_action_taken" | "lost_card" | "stolen_card" | "fraudulent" | "pickup_card" | "restricted_card" | "merchant_blacklist" | "transaction_not_allowed" | "security_violation" | "revocation_of_authorization" | "revocation_of_all_authorizations" | "call_issuer" | "try_again_later" | "reenter_transaction" | "issuer_not_available" | "service_not_allowed" | "stop_payment_order" | "not_permitted" | "new_account_information_available" | "invalid_account" | "invalid_amount" | "approve_with_id" | "highest_risk_level" | "incorrect_pin" | "invalid_pin" | "pin_try_exceeded" | "offline_pin_required" | "online_or_offline_pin_required" | "testmode_decline" | "test_mode_live_card" | "live_mode_test_card" };
    /** The payment that waits for its method, its customer or its bank succeeds. */
    readonly "payment.approved": { readonly payment_intent_id: string };
    /** The customer does what the payment asked for. */
    readonly "payment_intent.challenge_completed": { readonly payment_intent_id: string };
    /** The customer fails to authenticate, or gives up. */
    readonly "payment_intent.challenge_failed": { readonly payment_intent_id: string };
    /** Nobody captured the authorised payment in time. */
    readonly "payment_intent.authorization_expired": { readonly payment_intent_id: string };
    /** The bank pays the debit. */
    readonly "bank_debit.settled": { readonly payment_intent_id: string };
    /** The bank sends the debit back. */
    readonly "bank_debit.returned": { readonly payment_intent_id: string; readonly decline_code?: "no_account" | "account_closed" | "insufficient_funds" | "debit_not_authorized" | "invalid_currency" | "charge_exceeds_weekly_limit" | "generic_could_not_process" };
    /** The customer enters the right small deposits on the vendor's page. */
    readonly "microdeposits.verified": { readonly payment_intent_id: string } | { readonly setup_intent_id: string };
    /** The customer does what the setup asked for. */
    readonly "setup_intent.challenge_completed": { readonly setup_intent_id: string };
    /** The customer fails to authenticate the method. */
    readonly "setup_intent.challenge_failed": { readonly setup_intent_id: string };
    /** The bank rejects the refund; the money comes back. */
    readonly "refund.failed": { readonly refund_id: string; readonly reason?: "charge_for_pending_refund_disputed" | "declined" | "expired_or_canceled_card" | "insufficient_funds" | "lost_or_stolen_card" | "merchant_request" | "unknown" };
    /** The pending refund reaches the customer. */
    readonly "refund.succeeded": { readonly refund_id: string };
    /** The customer chooses the account for the refund. */
    readonly "refund.details_provided": { readonly refund_id: string };
    /** The customer's bank takes the payment back. */
    readonly "dispute.opened": { readonly charge_id: string; readonly reason?: "bank_cannot_process" | "check_returned" | "credit_not_processed" | "customer_initiated" | "debit_not_authorized" | "duplicate" | "fraudulent" | "general" | "incorrect_account_details" | "insufficient_funds" | "product_not_received" | "product_unacceptable" | "subscription_canceled" | "unrecognized"; readonly amount?: number };
    /** The customer's bank asks about the payment. */
    readonly "dispute.inquiry_opened": { readonly charge_id: string; readonly reason?: "bank_cannot_process" | "check_returned" | "credit_not_processed" | "customer_initiated" | "debit_not_authorized" | "duplicate" | "fraudulent" | "general" | "incorrect_account_details" | "insufficient_funds" | "product_not_received" | "product_unacceptable" | "subscription_canceled" | "unrecognized"; readonly amount?: number };
    /** The inquiry becomes a dispute. */
    readonly "dispute.escalated": { readonly dispute_id: string };
    /** The issuer decides for the merchant. */
    readonly "dispute.won": { readonly dispute_id: string };
    /** The issuer decides for the customer. */
    readonly "dispute.lost": { readonly dispute_id: string };
    /** The inquiry ends without a dispute. */
    readonly "dispute.closed": { readonly dispute_id: string };
    /** The issuer suspects that the payment is fraudulent. */
    readonly "early_fraud_warning.created": { readonly charge_id: string; readonly fraud_type?: "card_never_received" | "fraudulent_card_application" | "made_with_counterfeit_card" | "made_with_lost_card" | "made_with_stolen_card" | "misc" | "unauthorized_use_of_card" };
    /** The card network replaces a saved card, with a new expiry or a new number. */
    readonly "payment_method.automatically_updated": { readonly payment_method_id: string; readonly exp_month?: number; readonly exp_year?: number; readonly last4?: string };
    /** The saved card's month is over and its bank sent no new one. The issuer declines it from now on. */
    readonly "payment_method.expired": { readonly payment_method_id: string };
    /** From now on the issuer declines this saved card. */
    readonly "payment_method.card_declines": { readonly payment_method_id: string; readonly decline_code?: "generic_decline" | "insufficient_funds" | "lost_card" | "stolen_card" | "expired_card" | "incorrect_cvc" | "processing_error" | "card_velocity_exceeded" | "fraudulent" };
    /** From now on the issuer approves this saved card again. */
    readonly "payment_method.card_approves": { readonly payment_method_id: string };
    /** Everything that is pending becomes available now. */
    readonly "balance.funds_available": Readonly<Record<string, never>>;
    /** The customer's bank transfer arrives. */
    readonly "cash_balance.funded": { readonly customer_id: string; readonly amount: number; readonly currency?: string; readonly reference?: string };
    /** The customer does what a legacy source asks for; it can be charged. */
    readonly "source.authorized": { readonly source_id: string };
    /** The customer gives up, or fails to do what a legacy source asks for. */
    readonly "source.refused": { readonly source_id: string };
    /** Money arrives for a legacy source that waits for it. */
    readonly "source.funded": { readonly source_id: string; readonly amount?: number };
    /** The vendor pays out everything that is available, as a schedule would. */
    readonly "payout.initiated": { readonly currency?: string };
    /** The payout arrives. */
    readonly "payout.paid": { readonly payout_id: string };
    /** The money of a top-up arrives. */
    readonly "topup.succeeded": { readonly topup_id: string };
    /** The bank sends no money for a top-up. */
    readonly "topup.failed": { readonly topup_id: string; readonly failure_code?: string };
    /** The bank takes the money of a top-up back. */
    readonly "topup.reversed": { readonly topup_id: string };
    /** The bank sends the payout back, maybe after it seemed to arrive. */
    readonly "payout.failed": { readonly payout_id: string; readonly failure_code?: "account_closed" | "account_frozen" | "bank_account_restricted" | "bank_ownership_changed" | "could_not_process" | "debit_not_authorized" | "declined" | "incorrect_account_holder_address" | "incorrect_account_holder_name" | "incorrect_account_holder_tax_id" | "insufficient_funds" | "invalid_account_number" | "invalid_currency" | "no_account" };
    /** The customer fills in the session's page and pays, by default with a card that works. A payment that fails leaves the session open. */
    readonly "checkout.session.completed": { readonly checkout_session_id: string; readonly payment_method?: string; readonly type?: "acss_debit" | "affirm" | "afterpay_clearpay" | "alipay" | "alma" | "amazon_pay" | "au_becs_debit" | "bacs_debit" | "bancontact" | "blik" | "boleto" | "card" | "cashapp" | "customer_balance" | "eps" | "fpx" | "giropay" | "grabpay" | "ideal" | "kakao_pay" | "klarna" | "konbini" | "kr_card" | "link" | "mobilepay" | "multibanco" | "naver_pay" | "oxxo" | "p24" | "payco" | "paynow" | "paypal" | "pix" | "promptpay" | "revolut_pay" | "samsung_pay" | "sepa_debit" | "sofort" | "swish" | "twint" | "us_bank_account" | "wechat_pay" | "zip"; readonly card_number?: string; readonly card_expiry?: string; readonly card_cvc?: string; readonly account_number?: string; readonly iban?: string; readonly email?: string; readonly name?: string; readonly phone?: string; readonly line1?: string; readonly line2?: string; readonly city?: string; readonly state?: string; readonly postal_code?: string; readonly country?: string; readonly shipping_rate?: string; readonly tax_id?: { readonly type: "ad_nrt" | "ae_trn" | "al_tin" | "am_tin" | "ao_tin" | "ar_cuit" | "au_abn" | "au_arn" | "ba_tin" | "bb_tin" | "bg_uic" | "bh_vat" | "bo_tin" | "br_cnpj" | "br_cpf" | "bs_tin" | "by_tin" | "ca_bn" | "ca_gst_hst" | "ca_pst_bc" | "ca_pst_mb" | "ca_pst_sk" | "ca_qst" | "cd_nif" | "ch_uid" | "ch_vat" | "cl_tin" | "cn_tin" | "co_nit" | "cr_tin" | "de_stn" | "do_rcn" | "ec_ruc" | "eg_tin" | "es_cif" | "eu_oss_vat" | "eu_vat" | "gb_vat" | "ge_vat" | "gn_nif" | "hk_br" | "hr_oib" | "hu_tin" | "id_npwp" | "il_vat" | "in_gst" | "is_vat" | "jp_cn" | "jp_rn" | "jp_trn" | "ke_pin" | "kh_tin" | "kr_brn" | "kz_bin" | "li_uid" | "li_vat" | "ma_vat" | "md_vat" | "me_pib" | "mk_vat" | "mr_nif" | "mx_rfc" | "my_frp" | "my_itn" | "my_sst" | "ng_tin" | "no_vat" | "no_voec" | "np_pan" | "nz_gst" | "om_vat" | "pe_ruc" | "ph_tin" | "ro_tin" | "rs_pib" | "ru_inn" | "ru_kpp" | "sa_vat" | "sg_gst" | "sg_uen" | "si_tin" | "sn_ninea" | "sr_fin" | "sv_nit" | "th_vat" | "tj_tin" | "tr_tin" | "tw_vat" | "tz_vat" | "ua_vat" | "ug_tin" | "us_ein" | "uy_ruc" | "uz_tin" | "uz_vat" | "ve_rif" | "vn_tin" | "za_vat" | "zm_tin" | "zw_tin"; readonly value: string }; readonly tax_id_type?: "ad_nrt" | "ae_trn" | "al_tin" | "am_tin" | "ao_tin" | "ar_cuit" | "au_abn" | "au_arn" | "ba_tin" | "bb_tin" | "bg_uic" | "bh_vat" | "bo_tin" | "br_cnpj" | "br_cpf" | "bs_tin" | "by_tin" | "ca_bn" | "ca_gst_hst" | "ca_pst_bc" | "ca_pst_mb" | "ca_pst_sk" | "ca_qst" | "cd_nif" | "ch_uid" | "ch_vat" | "cl_tin" | "cn_tin" | "co_nit" | "cr_tin" | "de_stn" | "do_rcn" | "ec_ruc" | "eg_tin" | "es_cif" | "eu_oss_vat" | "eu_vat" | "gb_vat" | "ge_vat" | "gn_nif" | "hk_br" | "hr_oib" | "hu_tin" | "id_npwp" | "il_vat" | "in_gst" | "is_vat" | "jp_cn" | "jp_rn" | "jp_trn" | "ke_pin" | "kh_tin" | "kr_brn" | "kz_bin" | "li_uid" | "li_vat" | "ma_vat" | "md_vat" | "me_pib" | "mk_vat" | "mr_nif" | "mx_rfc" | "my_frp" | "my_itn" | "my_sst" | "ng_tin" | "no_vat" | "no_voec" | "np_pan" | "nz_gst" | "om_vat" | "pe_ruc" | "ph_tin" | "ro_tin" | "rs_pib" | "ru_inn" | "ru_kpp" | "sa_vat" | "sg_gst" | "sg_uen" | "si_tin" | "sn_ninea" | "sr_fin" | "sv_nit" | "th_vat" | "tj_tin" | "tr_tin" | "tw_vat" | "tz_vat" | "ua_vat" | "ug_tin" | "us_ein" | "uy_ruc" | "uz_tin" | "uz_vat" | "ve_rif" | "vn_tin" | "za_vat" | "zm_tin" | "zw_tin"; readonly tax_id_value?: string; readonly custom_fields?: Readonly<Record<string, string>>; readonly first_field?: string; readonly second_field?: string; readonly third_field?: string; readonly terms_accepted?: boolean; readonly promotions_accepted?: boolean };
    /** The customer tries to pay on the session's page, but the issuer declines the card. The session stays open. */
    readonly "checkout.session.declined": { readonly checkout_session_id: string; readonly decline_code?: "generic_decline" | "insufficient_funds" | "lost_card" | "stolen_card" | "expired_card" | "incorrect_cvc" | "processing_error" | "card_velocity_exceeded" | "fraudulent"; readonly email?: string; readonly name?: string };
    /** The customer leaves the session's page for good; the session expires. */
    readonly "checkout.session.abandoned": { readonly checkout_session_id: string };
    /** The customer types a promotion code on the session's page. */
    readonly "checkout.session.discounted": { readonly checkout_session_id: string; readonly code: string };
    /** The customer chooses a shipping option on the session's page. */
    readonly "checkout.session.shipping_chosen": { readonly checkout_session_id: string; readonly shipping_rate: string };
    /** The customer takes more or fewer of an item whose quantity can be adjusted. */
    readonly "checkout.session.quantity_changed": { readonly checkout_session_id: string; readonly line_item: string; readonly quantity: number };
    /** The customer adds one of the optional items, takes another quantity of it, or (0) takes it off. */
    readonly "checkout.session.optional_item_changed": { readonly checkout_session_id: string; readonly price: string; readonly quantity?: number };
    /** The customer comes back by the recovery page of an expired session; a copy of the session opens. */
    readonly "checkout.session.recovered": { readonly checkout_session_id: string };
    /** Somebody opens the payment link; a checkout session opens for them. */
    readonly "payment_link.opened": { readonly payment_link_id: string; readonly email?: string; readonly client_reference_id?: string };
    /** A draft cannot be made final, as when its customer's place of tax is unknown. It stays a draft; the next attempt works. */
    readonly "invoice.finalization_failed": { readonly invoice_id: string; readonly code?: string; readonly message?: string };
    /** The customer pays an open invoice on its page, by default with a card that works. */
    readonly "invoice.paid_on_page": { readonly invoice_id: string; readonly payment_method?: string; readonly type?: "acss_debit" | "affirm" | "afterpay_clearpay" | "alipay" | "alma" | "amazon_pay" | "au_becs_debit" | "bacs_debit" | "bancontact" | "blik" | "boleto" | "card" | "cashapp" | "customer_balance" | "eps" | "fpx" | "giropay" | "grabpay" | "ideal" | "kakao_pay" | "klarna" | "konbini" | "kr_card" | "link" | "mobilepay" | "multibanco" | "naver_pay" | "oxxo" | "p24" | "payco" | "paynow" | "paypal" | "pix" | "promptpay" | "revolut_pay" | "samsung_pay" | "sepa_debit" | "sofort" | "swish" | "twint" | "us_bank_account" | "wechat_pay" | "zip"; readonly card_number?: string; readonly card_expiry?: string; readonly card_cvc?: string; readonly account_number?: string; readonly iban?: string };
    /** The customer cancels a subscription in the portal; at once or at the period's end, as the portal is configured. */
    readonly "billing_portal.subscription_canceled": { readonly billing_portal_session_id: string; readonly subscription_id: string; readonly feedback?: "customer_service" | "low_quality" | "missing_features" | "other" | "switched_service" | "too_complex" | "too_expensive" | "unused"; readonly comment?: string };
    /** The customer takes back in the portal that a subscription ends. */
    readonly "billing_portal.subscription_resumed": { readonly billing_portal_session_id: string; readonly subscription_id: string };
    /** The customer moves a subscription to another price or quantity in the portal. */
    readonly "billing_portal.subscription_updated": { readonly billing_portal_session_id: string; readonly subscription_id: string; readonly price?: string; readonly quantity?: number };
    /** The customer enters a new card in the portal; it becomes the default for later bills. */
    readonly "billing_portal.card_updated": { readonly billing_portal_session_id: string; readonly payment_method?: string; readonly card_number?: string; readonly card_expiry?: string; readonly card_cvc?: string };
    /** The customer changes what the portal shows about them. */
    readonly "billing_portal.customer_updated": { readonly billing_portal_session_id: string; readonly email?: string; readonly name?: string; readonly phone?: string };
    /** Somebody completes all requirements of an account, by its link or without. */
    readonly "account.onboarded": { readonly account_link_id: string } | { readonly account_id: string };
    /** Somebody leaves the form of an account link before it is submitted. */
    readonly "account_link.left": { readonly account_link_id: string };
    /** Somebody comes with a link that was used or is too old, and is sent for another. */
    readonly "account_link.refreshed": { readonly account_link_id: string };
    /** All that an account has given is verified. */
    readonly "account.verified": { readonly account_id: string };
    /** Something that an account has given cannot be verified; a document is due. */
    readonly "account.verification_failed": { readonly account_id: string; readonly requirement?: string };
    /** An account gets a new requirement with a deadline; until then everything works. */
    readonly "account.requirement_announced": { readonly account_id: string; readonly requirement?: string; readonly days?: number };
    /** Another requirement was met. */
    readonly "account.document_accepted": { readonly account_id: string };
    /** The vendor stops the payouts of an account. */
    readonly "account.payouts_disabled": { readonly account_id: string };
    /** Stopped payouts continue. */
    readonly "account.payouts_enabled": { readonly account_id: string };
    /** The vendor takes a capability from an account. */
    readonly "capability.disabled": { readonly account_id: string; readonly capability?: string };
    /** A capability that was taken comes back. */
    readonly "capability.enabled": { readonly account_id: string; readonly capability?: string };
    /** An account takes back what it has allowed the platform. */
    readonly "account.deauthorized": { readonly account_id: string };
    /** The vendor's command connects, to forward events to a machine of the developer. */
    readonly "listener.connected": { readonly listener: string };
    /** The vendor's command that forwarded events has ended. */
    readonly "listener.gone": { readonly listener: string };
  };
  readonly operations: {
    readonly "accounts": "retrieve";
    readonly "account_links": "create";
    readonly "account_sessions": "create";
    readonly "application_fees": "retrieve" | "list";
    readonly "balances": "retrieve";
    readonly "balance_transactions": "retrieve" | "list";
    readonly "bank_accounts": "verify" | "create_of_account" | "retrieve_of_account" | "update_of_account" | "delete_of_account" | "list_of_account";
    readonly "billing_meters": "create" | "retrieve" | "update" | "list" | "deactivate" | "reactivate" | "event_summaries";
    readonly "billing_meter_events": "create";
    readonly "billing_portal_configurations": "create" | "retrieve" | "update" | "list";
    readonly "billing_portal_sessions": "create";
    readonly "capabilities": "retrieve" | "list" | "update";
    readonly "cards": "create" | "list_sources" | "retrieve" | "update" | "delete_source";
    readonly "cash_balances": never;
    readonly "charges": "create" | "retrieve" | "update" | "list" | "search" | "capture";
    readonly "checkout_line_items": "list_of_session" | "list_of_link";
    readonly "checkout_sessions": "create" | "retrieve" | "update" | "list" | "expire" | "payment_page" | "view_elements" | "change_elements" | "pay_elements" | "confirm_payment_page";
    readonly "confirmation_tokens": "create" | "retrieve";
    readonly "connected_accounts": "create" | "retrieve" | "update" | "list" | "delete" | "reject" | "login_link";
    readonly "core_accounts": "create" | "retrieve" | "update" | "close" | "list" | "link";
    readonly "country_specs": "list" | "retrieve";
    readonly "coupons": "create" | "retrieve" | "update" | "delete" | "list";
    readonly "credit_balance_transactions": "retrieve" | "list";
    readonly "credit_grants": "create" | "retrieve" | "update" | "list" | "expire" | "void" | "summary";
    readonly "credit_notes": "create" | "preview" | "preview_lines" | "retrieve" | "update" | "void" | "list";
    readonly "credit_note_line_items": "list";
    readonly "customers": "funding_instructions" | "create" | "retrieve" | "update" | "cash_balance" | "set_cash_balance" | "delete" | "list" | "search";
    readonly "customer_balance_transactions": "create" | "retrieve" | "update" | "list";
    readonly "customer_cash_balance_transactions": "create" | "retrieve" | "list";
    readonly "customer_sessions": "create";
    readonly "discounts": "delete_of_customer" | "delete_of_subscription";
    readonly "disputes": "retrieve" | "of_charge" | "update" | "list" | "close";
    readonly "early_fraud_warnings": "retrieve" | "list";
    readonly "entitlements_features": "create" | "retrieve" | "update" | "list_active" | "retrieve_active" | "list";
    readonly "ephemeral_keys": "create" | "delete";
    readonly "events": "retrieve" | "list";
    readonly "event_destinations": "create" | "retrieve" | "update" | "delete" | "list" | "disable" | "enable" | "ping";
    readonly "fee_refunds": "create" | "retrieve" | "update" | "list";
    readonly "files": "create" | "retrieve" | "list" | "contents";
    readonly "file_links": "create" | "retrieve" | "update" | "list" | "open";
    readonly "invoices": "create" | "retrieve" | "update" | "delete" | "list" | "search" | "finalize" | "pay" | "attach_payment" | "send" | "void" | "mark_uncollectible" | "add_lines" | "update_lines" | "remove_lines" | "create_preview" | "upcoming" | "upcoming_lines";
    readonly "invoice_payments": "retrieve" | "list";
    readonly "invoiceitems": "create" | "retrieve" | "update" | "delete" | "list";
    readonly "line_items": "list" | "update";
    readonly "listeners": "create";
    readonly "mandates": "retrieve";
    readonly "meter_event_sessions": "create" | "report" | "stream" | "adjust";
    readonly "payment_intents": "create" | "retrieve" | "update" | "list" | "search" | "confirm" | "capture" | "cancel" | "increment_authorization" | "verify_microdeposits" | "amount_details_line_items" | "apply_customer_balance";
    readonly "payment_links": "create" | "retrieve" | "update" | "list";
    readonly "payment_methods": "create" | "retrieve" | "retrieve_of_customer" | "update" | "list" | "list_of_customer" | "attach" | "detach";
    readonly "payment_method_configurations": "create" | "retrieve" | "update" | "list";
    readonly "payouts": "create" | "retrieve" | "update" | "list" | "cancel" | "reverse";
    readonly "persons": "create" | "retrieve" | "update" | "delete" | "list";
    readonly "plans": "create" | "retrieve" | "update" | "delete" | "list";
    readonly "prices": "create" | "retrieve" | "update" | "list" | "search";
    readonly "products": "create" | "retrieve" | "update" | "delete" | "list" | "search";
    readonly "product_features": "create" | "retrieve" | "delete" | "list";
    readonly "promotion_codes": "create" | "retrieve" | "update" | "list";
    readonly "quotes": "create" | "retrieve" | "update" | "finalize" | "accept" | "cancel" | "list" | "line_items" | "computed_upfront_line_items";
    readonly "refunds": "create" | "retrieve" | "update" | "list" | "list_of_charge" | "cancel" | "expire";
    readonly "setup_attempts": "list";
    readonly "setup_intents": "create" | "retrieve" | "update" | "list" | "confirm" | "cancel" | "verify_microdeposits";
    readonly "shipping_rates": "create" | "retrieve" | "update" | "list";
    readonly "sources": "create" | "retrieve" | "update" | "verify";
    readonly "source_transactions": "list";
    readonly "subscriptions": "create" | "retrieve" | "update" | "cancel" | "migrate" | "pause" | "resume" | "list" | "search";
    readonly "subscription_items": "create" | "retrieve" | "update" | "delete" | "list";
    readonly "subscription_schedules": "create" | "retrieve" | "update" | "cancel" | "release" | "list";
    readonly "tax_calculations": "create" | "retrieve" | "line_items";
    readonly "tax_codes": "list" | "retrieve";
    readonly "tax_ids": "create_of_customer" | "create" | "retrieve_of_customer" | "retrieve" | "delete_of_customer" | "delete" | "list_of_customer" | "list";
    readonly "tax_rates": "create" | "retrieve" | "update" | "list";
    readonly "tax_registrations": "create" | "retrieve" | "update" | "list";
    readonly "tax_settings": "retrieve" | "update";
    readonly "tax_transactions": "create_from_calculation" | "create_reversal" | "retrieve" | "line_items";
    readonly "test_clocks": "create" | "retrieve" | "list" | "advance" | "delete";
    readonly "thin_events": "retrieve" | "list";
    readonly "tokens": "create" | "retrieve";
    readonly "topups": "create" | "retrieve" | "update" | "list" | "cancel";
    readonly "transfers": "create" | "retrieve" | "update" | "list";
    readonly "transfer_reversals": "create" | "retrieve" | "update" | "list";
    readonly "usage_records": "create" | "summaries";
    readonly "webhook_endpoints": "create" | "retrieve" | "update" | "delete" | "list";
  };
  readonly durations: "account_verification" | "account_link_expiry" | "debit_settlement" | "async_booking" | "authorization_hold" | "funds_availability" | "refund_settlement" | "refund_reference" | "refund_return" | "refund_request" | "topup_arrival" | "payout_run" | "payout_submission" | "payout_arrival" | "confirmation_token_expiry" | "source_expiry" | "dispute_response" | "dispute_decision" | "inquiry_lapse" | "invoice_finalization" | "payment_retry_1" | "payment_retry_2" | "payment_retry_3" | "upcoming_notice" | "trial_notice" | "checkout_expiry" | "meter_event_session" | "incomplete_expiry";
  readonly scenarios: "rate_limited" | "server_error" | "lock_timeout" | "slow" | "declined" | "declined_generic_decline" | "declined_insufficient_funds" | "declined_expired_card" | "declined_incorrect_cvc" | "declined_invalid_cvc" | "declined_processing_error" | "declined_authentication_required" | "declined_india_recurring_payment_mandate_canceled" | "declined_incorrect_number" | "declined_invalid_number" | "declined_invalid_expiry_month" | "declined_invalid_expiry_year" | "declined_incorrect_zip" | "declined_card_velocity_exceeded" | "declined_withdrawal_count_limit_exceeded" | "declined_card_not_supported" | "declined_currency_not_supported" | "declined_duplicate_transaction" | "declined_do_not_honor" | "declined_no_action_taken" | "declined_lost_card" | "declined_stolen_card" | "declined_fraudulent" | "declined_pickup_card" | "declined_restricted_card" | "declined_merchant_blacklist" | "declined_transaction_not_allowed" | "declined_security_violation" | "declined_revocation_of_authorization" | "declined_revocation_of_all_authorizations" | "declined_call_issuer" | "declined_try_again_later" | "declined_reenter_transaction" | "declined_issuer_not_available" | "declined_service_not_allowed" | "declined_stop_payment_order" | "declined_not_permitted" | "declined_new_account_information_available" | "declined_invalid_account" | "declined_invalid_amount" | "declined_approve_with_id" | "declined_highest_risk_level" | "declined_incorrect_pin" | "declined_invalid_pin" | "declined_pin_try_exceeded" | "declined_offline_pin_required" | "declined_online_or_offline_pin_required" | "declined_testmode_decline" | "declined_test_mode_live_card" | "declined_live_mode_test_card" | "requires_action" | "approved";
  readonly pins: "available" | "balance.available" | "pending" | "balance.pending" | `outcome.${string}` | `charge.outcome.${string}` | "decline_code" | "charge.decline_code" | "last_payment_error.decline_code" | "payment_intent.last_payment_error.decline_code" | "next_action" | "payment_intent.next_action" | `card.${string}` | `payment_method.card.${string}` | "failure_code" | "payout.failure_code" | "setup_intent.decline_code" | "setup_intent.next_action" | "next_renewal" | "subscription.next_renewal" | "after_retries" | "subscription.after_retries";
  readonly branches: "approved" | "declined" | "requires_action" | "returned" | "paid" | "failed" | "succeeded";
  readonly testValues: "pm_card_visa" | "pm_card_visa_debit" | "pm_card_mastercard" | "pm_card_mastercard_debit" | "pm_card_mastercard_prepaid" | "pm_card_amex" | "pm_card_discover" | "pm_card_discover_debit" | "pm_card_diners" | "pm_card_jcb" | "pm_card_unionpay" | "pm_card_unionpay_debit" | "pm_card_visa_cartesBancaires" | "pm_card_mastercard_cartesBancaires" | "pm_card_us" | "pm_card_ar" | "pm_card_br" | "pm_card_ca" | "pm_card_cl" | "pm_card_co" | "pm_card_cr" | "pm_card_ec" | "pm_card_mx" | "pm_card_pa" | "pm_card_py" | "pm_card_pe" | "pm_card_uy" | "pm_card_ae" | "pm_card_at" | "pm_card_be" | "pm_card_bg" | "pm_card_by" | "pm_card_hr" | "pm_card_cy" | "pm_card_cz" | "pm_card_dk" | "pm_card_ee" | "pm_card_fi" | "pm_card_fr" | "pm_card_de" | "pm_card_gi" | "pm_card_gr" | "pm_card_hu" | "pm_card_ie" | "pm_card_it" | "pm_card_lv" | "pm_card_li" | "pm_card_lt" | "pm_card_lu" | "pm_card_mt" | "pm_card_nl" | "pm_card_no" | "pm_card_pl" | "pm_card_pt" | "pm_card_ro" | "pm_card_sa" | "pm_card_si" | "pm_card_sk" | "pm_card_es" | "pm_card_se" | "pm_card_ch" | "pm_card_gb" | "pm_card_au" | "pm_card_cn" | "pm_card_hk" | "pm_card_in" | "pm_card_jp" | "pm_card_my" | "pm_card_nz" | "pm_card_sg" | "pm_card_tw" | "pm_card_th" | "pm_card_gb_debit" | "pm_card_gb_mastercard" | "pm_card_chargeDeclined" | "pm_card_chargeDeclinedInsufficientFunds" | "pm_card_chargeDeclinedLostCard" | "pm_card_chargeDeclinedStolenCard" | "pm_card_chargeDeclinedExpiredCard" | "pm_card_chargeDeclinedIncorrectCvc" | "pm_card_chargeDeclinedProcessingError" | "pm_card_chargeDeclinedVelocityLimitExceeded" | "pm_card_chargeDeclinedFraudulent" | "pm_card_radarBlock" | "pm_card_chargeCustomerFail" | "pm_card_threeDSecure2Required" | "pm_card_threeDSecureRequired" | "pm_card_threeDSecureRequiredChargeDeclined" | "pm_card_threeDSecureRequiredProcessingError" | "pm_card_threeDSecureOptional" | "pm_card_threeDSecureOptionalProcessingError" | "pm_card_amex_threeDSecureNotSupported" | "pm_card_authenticationRequiredOnSetup" | "pm_card_authenticationRequired" | "pm_card_authenticationRequiredSetupForOffSession" | "pm_card_authenticationRequiredChargeDeclinedInsufficientFunds" | "pm_card_riskLevelHighest" | "pm_card_riskLevelElevated" | "pm_card_cvcCheckFail" | "pm_card_avsFail" | "pm_card_avsLine1Fail" | "pm_card_avsZipFail" | "pm_card_avsUnchecked" | "pm_card_cvcCheckFailElevatedRisk" | "pm_card_avsZipFailElevatedRisk" | "pm_card_createDispute" | "pm_card_createDisputeProductNotReceived" | "pm_card_createDisputeInquiry" | "pm_card_createIssuerFraudRecord" | "pm_card_createMultipleDisputes" | "pm_card_pendingRefund" | "pm_card_refundFail" | "pm_card_bypassPending" | "pm_card_bypassPendingInternational" | "pm_card_visa_chargeDeclined" | "pm_card_visa_chargeDeclinedInsufficientFunds" | "pm_card_visa_chargeDeclinedLostCard" | "pm_card_visa_chargeDeclinedStolenCard" | "pm_card_visa_chargeDeclinedExpiredCard" | "pm_card_visa_chargeDeclinedIncorrectCvc" | "pm_card_visa_chargeDeclinedProcessingError" | "pm_card_visa_chargeDeclinedVelocityLimitExceeded" | "pm_card_visa_chargeDeclinedFraudulent" | "pm_card_visa_chargeCustomerFail" | "pm_card_visa_createDispute" | "pm_card_visa_createDisputeProductNotReceived" | "pm_card_visa_createDisputeInquiry" | "pm_card_mastercard_chargeDeclined" | "pm_card_mastercard_chargeDeclinedInsufficientFunds" | "pm_card_mastercard_chargeDeclinedLostCard" | "pm_card_mastercard_chargeDeclinedStolenCard" | "pm_card_mastercard_chargeDeclinedExpiredCard" | "pm_card_mastercard_chargeDeclinedIncorrectCvc" | "pm_card_mastercard_chargeDeclinedProcessingError" | "pm_card_mastercard_chargeDeclinedVelocityLimitExceeded" | "pm_card_mastercard_chargeDeclinedFraudulent" | "pm_card_mastercard_chargeCustomerFail" | "pm_card_amex_chargeDeclined" | "pm_card_amex_chargeDeclinedInsufficientFunds" | "pm_card_amex_chargeDeclinedLostCard" | "pm_card_amex_chargeDeclinedStolenCard" | "pm_card_amex_chargeDeclinedExpiredCard" | "pm_card_amex_chargeDeclinedIncorrectCvc" | "pm_card_amex_chargeDeclinedProcessingError" | "pm_card_amex_chargeDeclinedVelocityLimitExceeded" | "pm_card_amex_chargeDeclinedFraudulent" | "pm_card_amex_chargeCustomerFail" | "pm_card_discover_chargeDeclined" | "pm_card_discover_chargeDeclinedInsufficientFunds" | "pm_card_discover_chargeDeclinedLostCard" | "pm_card_discover_chargeDeclinedStolenCard" | "pm_card_discover_chargeDeclinedExpiredCard" | "pm_card_discover_chargeDeclinedIncorrectCvc" | "pm_card_discover_chargeDeclinedProcessingError" | "pm_card_discover_chargeDeclinedVelocityLimitExceeded" | "pm_card_discover_chargeDeclinedFraudulent" | "pm_card_discover_chargeCustomerFail" | "pm_card_diners_chargeDeclined" | "pm_card_diners_chargeDeclinedInsufficientFunds" | "pm_card_diners_chargeDeclinedLostCard" | "pm_card_diners_chargeDeclinedStolenCard" | "pm_card_diners_chargeDeclinedExpiredCard" | "pm_card_diners_chargeDeclinedIncorrectCvc" | "pm_card_diners_chargeDeclinedProcessingError" | "pm_card_diners_chargeDeclinedVelocityLimitExceeded" | "pm_card_diners_chargeDeclinedFraudulent" | "pm_card_diners_chargeCustomerFail" | "pm_card_jcb_chargeDeclined" | "pm_card_jcb_chargeDeclinedInsufficientFunds" | "pm_card_jcb_chargeDeclinedLostCard" | "pm_card_jcb_chargeDeclinedStolenCard" | "pm_card_jcb_chargeDeclinedExpiredCard" | "pm_card_jcb_chargeDeclinedIncorrectCvc" | "pm_card_jcb_chargeDeclinedProcessingError" | "pm_card_jcb_chargeDeclinedVelocityLimitExceeded" | "pm_card_jcb_chargeDeclinedFraudulent" | "pm_card_jcb_chargeCustomerFail" | "pm_card_unionpay_chargeDeclined" | "pm_card_unionpay_chargeDeclinedInsufficientFunds" | "pm_card_unionpay_chargeDeclinedLostCard" | "pm_card_unionpay_chargeDeclinedStolenCard" | "pm_card_unionpay_chargeDeclinedExpiredCard" | "pm_card_unionpay_chargeDeclinedIncorrectCvc" | "pm_card_unionpay_chargeDeclinedProcessingError" | "pm_card_unionpay_chargeDeclinedVelocityLimitExceeded" | "pm_card_unionpay_chargeDeclinedFraudulent" | "pm_card_unionpay_chargeCustomerFail" | "tok_visa" | "tok_visa_debit" | "tok_mastercard" | "tok_mastercard_debit" | "tok_mastercard_prepaid" | "tok_amex" | "tok_discover" | "tok_discover_debit" | "tok_diners" | "tok_jcb" | "tok_unionpay" | "tok_unionpay_debit" | "tok_visa_cartesBancaires" | "tok_mastercard_cartesBancaires" | "tok_us" | "tok_ar" | "tok_br" | "tok_ca" | "tok_cl" | "tok_co" | "tok_cr" | "tok_ec" | "tok_mx" | "tok_pa" | "tok_py" | "tok_pe" | "tok_uy" | "tok_ae" | "tok_at" | "tok_be" | "tok_bg" | "tok_by" | "tok_hr" | "tok_cy" | "tok_cz" | "tok_dk" | "tok_ee" | "tok_fi" | "tok_fr" | "tok_de" | "tok_gi" | "tok_gr" | "tok_hu" | "tok_ie" | "tok_it" | "tok_lv" | "tok_li" | "tok_lt" | "tok_lu" | "tok_mt" | "tok_nl" | "tok_no" | "tok_pl" | "tok_pt" | "tok_ro" | "tok_sa" | "tok_si" | "tok_sk" | "tok_es" | "tok_se" | "tok_ch" | "tok_gb" | "tok_au" | "tok_cn" | "tok_hk" | "tok_in" | "tok_jp" | "tok_my" | "tok_nz" | "tok_sg" | "tok_tw" | "tok_th" | "tok_gb_debit" | "tok_gb_mastercard" | "tok_chargeDeclined" | "tok_chargeDeclinedInsufficientFunds" | "tok_chargeDeclinedLostCard" | "tok_chargeDeclinedStolenCard" | "tok_chargeDeclinedExpiredCard" | "tok_chargeDeclinedIncorrectCvc" | "tok_chargeDeclinedProcessingError" | "tok_chargeDeclinedVelocityLimitExceeded" | "tok_chargeDeclinedFraudulent" | "tok_radarBlock" | "tok_chargeCustomerFail" | "tok_threeDSecure2Required" | "tok_threeDSecureRequired" | "tok_threeDSecureRequiredChargeDeclined" | "tok_threeDSecureRequiredProcessingError" | "tok_threeDSecureOptional" | "tok_threeDSecureOptionalProcessingError" | "tok_amex_threeDSecureNotSupported" | "tok_authenticationRequiredOnSetup" | "tok_authenticationRequired" | "tok_authenticationRequiredSetupForOffSession" | "tok_authenticationRequiredChargeDeclinedInsufficientFunds" | "tok_riskLevelHighest" | "tok_riskLevelElevated" | "tok_cvcCheckFail" | "tok_avsFail" | "tok_avsLine1Fail" | "tok_avsZipFail" | "tok_avsUnchecked" | "tok_cvcCheckFailElevatedRisk" | "tok_avsZipFailElevatedRisk" | "tok_createDispute" | "tok_createDisputeProductNotReceived" | "tok_createDisputeInquiry" | "tok_createIssuerFraudRecord" | "tok_createMultipleDisputes" | "tok_pendingRefund" | "tok_refundFail" | "tok_bypassPending" | "tok_bypassPendingInternational" | "tok_visa_chargeDeclined" | "tok_visa_chargeDeclinedInsufficientFunds" | "tok_visa_chargeDeclinedLostCard" | "tok_visa_chargeDeclinedStolenCard" | "tok_visa_chargeDeclinedExpiredCard" | "tok_visa_chargeDeclinedIncorrectCvc" | "tok_visa_chargeDeclinedProcessingError" | "tok_visa_chargeDeclinedVelocityLimitExceeded" | "tok_visa_chargeDeclinedFraudulent" | "tok_visa_chargeCustomerFail" | "tok_visa_createDispute" | "tok_visa_createDisputeProductNotReceived" | "tok_visa_createDisputeInquiry" | "tok_mastercard_chargeDeclined" | "tok_mastercard_chargeDeclinedInsufficientFunds" | "tok_mastercard_chargeDeclinedLostCard" | "tok_mastercard_chargeDeclinedStolenCard" | "tok_mastercard_chargeDeclinedExpiredCard" | "tok_mastercard_chargeDeclinedIncorrectCvc" | "tok_mastercard_chargeDeclinedProcessingError" | "tok_mastercard_chargeDeclinedVelocityLimitExceeded" | "tok_mastercard_chargeDeclinedFraudulent" | "tok_mastercard_chargeCustomerFail" | "tok_amex_chargeDeclined" | "tok_amex_chargeDeclinedInsufficientFunds" | "tok_amex_chargeDeclinedLostCard" | "tok_amex_chargeDeclinedStolenCard" | "tok_amex_chargeDeclinedExpiredCard" | "tok_amex_chargeDeclinedIncorrectCvc" | "tok_amex_chargeDeclinedProcessingError" | "tok_amex_chargeDeclinedVelocityLimitExceeded" | "tok_amex_chargeDeclinedFraudulent" | "tok_amex_chargeCustomerFail" | "tok_discover_chargeDeclined" | "tok_discover_chargeDeclinedInsufficientFunds" | "tok_discover_chargeDeclinedLostCard" | "tok_discover_chargeDeclinedStolenCard" | "tok_discover_chargeDeclinedExpiredCard" | "tok_discover_chargeDeclinedIncorrectCvc" | "tok_discover_chargeDeclinedProcessingError" | "tok_discover_chargeDeclinedVelocityLimitExceeded" | "tok_discover_chargeDeclinedFraudulent" | "tok_discover_chargeCustomerFail" | "tok_diners_chargeDeclined" | "tok_diners_chargeDeclinedInsufficientFunds" | "tok_diners_chargeDeclinedLostCard" | "tok_diners_chargeDeclinedStolenCard" | "tok_diners_chargeDeclinedExpiredCard" | "tok_diners_chargeDeclinedIncorrectCvc" | "tok_diners_chargeDeclinedProcessingError" | "tok_diners_chargeDeclinedVelocityLimitExceeded" | "tok_diners_chargeDeclinedFraudulent" | "tok_diners_chargeCustomerFail" | "tok_jcb_chargeDeclined" | "tok_jcb_chargeDeclinedInsufficientFunds" | "tok_jcb_chargeDeclinedLostCard" | "tok_jcb_chargeDeclinedStolenCard" | "tok_jcb_chargeDeclinedExpiredCard" | "tok_jcb_chargeDeclinedIncorrectCvc" | "tok_jcb_chargeDeclinedProcessingError" | "tok_jcb_chargeDeclinedVelocityLimitExceeded" | "tok_jcb_chargeDeclinedFraudulent" | "tok_jcb_chargeCustomerFail" | "tok_unionpay_chargeDeclined" | "tok_unionpay_chargeDeclinedInsufficientFunds" | "tok_unionpay_chargeDeclinedLostCard" | "tok_unionpay_chargeDeclinedStolenCard" | "tok_unionpay_chargeDeclinedExpiredCard" | "tok_unionpay_chargeDeclinedIncorrectCvc" | "tok_unionpay_chargeDeclinedProcessingError" | "tok_unionpay_chargeDeclinedVelocityLimitExceeded" | "tok_unionpay_chargeDeclinedFraudulent" | "tok_unionpay_chargeCustomerFail" | "pm_usBankAccount_success" | "pm_usBankAccount_processing" | "pm_usBankAccount_noAccount" | "pm_usBankAccount_accountClosed" | "pm_usBankAccount_insufficientFunds" | "pm_usBankAccount_debitNotAuthorized" | "pm_usBankAccount_invalidCurrency" | "pm_usBankAccount_dispute" | "pm_usBankAccount_failMicrodeposits" | "pm_usBankAccount_weeklyLimitExceeded" | "pm_usBankAccount" | "pm_sepaDebit_success" | "pm_sepaDebit_success_delayed" | "pm_sepaDebit_failure" | "pm_sepaDebit_failure_delayed" | "pm_sepaDebit_dispute" | "pm_sepaDebit_insufficientFunds" | "pm_sepaDebit" | "btok_us_verified" | "btok_us";
  readonly events: "v1.billing.meter.no_meter_found" | "application_fee.created" | "application_fee.refunded" | "balance.available" | "account.external_account.created" | "account.external_account.updated" | "account.external_account.deleted" | "v1.billing.meter.error_report_triggered" | "billing_portal.configuration.created" | "billing_portal.configuration.updated" | "billing_portal.session.created" | "capability.updated" | "customer.source.created" | "customer.source.updated" | "customer.source.deleted" | "charge.succeeded" | "charge.failed" | "charge.pending" | "charge.captured" | "charge.expired" | "charge.refunded" | "charge.updated" | "checkout.session.completed" | "checkout.session.expired" | "checkout.session.async_payment_succeeded" | "checkout.session.async_payment_failed" | "account.updated" | "v2.core.account.created" | "v2.core.account.updated" | "v2.core.account.closed" | "account.application.deauthorized" | "coupon.created" | "coupon.updated" | "coupon.deleted" | "billing.credit_balance_transaction.created" | "billing.credit_grant.created" | "billing.credit_grant.updated" | "credit_note.created" | "credit_note.updated" | "credit_note.voided" | "customer.created" | "customer.updated" | "customer.deleted" | "cash_balance.funds_available" | "customer_cash_balance_transaction.created" | "customer.discount.created" | "customer.discount.updated" | "customer.discount.deleted" | "charge.dispute.created" | "charge.dispute.updated" | "charge.dispute.closed" | "charge.dispute.funds_withdrawn" | "charge.dispute.funds_reinstated" | "radar.early_fraud_warning.created" | "radar.early_fraud_warning.updated" | "v2.core.event_destination.ping" | "application_fee.refund.updated" | "invoice.created" | "invoice.updated" | "invoice.deleted" | "invoice.finalized" | "invoice.finalization_failed" | "invoice.sent" | "invoice.paid" | "invoice.payment_succeeded" | "invoice.payment_failed" | "invoice.payment_action_required" | "invoice.overdue" | "invoice.voided" | "invoice.marked_uncollectible" | "invoice.upcoming" | "invoice_payment.paid" | "invoiceitem.created" | "invoiceitem.deleted" | "mandate.updated" | "payment_intent.created" | "payment_intent.requires_action" | "payment_intent.processing" | "payment_intent.amount_capturable_updated" | "payment_intent.succeeded" | "payment_intent.payment_failed" | "payment_intent.canceled" | "payment_intent.partially_funded" | "payment_link.created" | "payment_link.updated" | "payment_method.attached" | "payment_method.detached" | "payment_method.updated" | "payment_method.automatically_updated" | "payout.created" | "payout.updated" | "payout.paid" | "payout.failed" | "payout.canceled" | "payout.reconciliation_completed" | "person.created" | "person.updated" | "person.deleted" | "plan.created" | "plan.updated" | "plan.deleted" | "price.created" | "price.updated" | "price.deleted" | "product.created" | "product.updated" | "product.deleted" | "promotion_code.created" | "promotion_code.updated" | "quote.created" | "quote.finalized" | "quote.accepted" | "quote.canceled" | "refund.created" | "refund.failed" | "refund.updated" | "charge.refund.updated" | "setup_intent.created" | "setup_intent.requires_action" | "setup_intent.succeeded" | "setup_intent.setup_failed" | "setup_intent.canceled" | "source.chargeable" | "source.failed" | "source.canceled" | "source.transaction.created" | "customer.subscription.created" | "customer.subscription.updated" | "customer.subscription.deleted" | "customer.subscription.paused" | "customer.subscription.resumed" | "customer.subscription.trial_will_end" | "customer.subscription.pending_update_applied" | "customer.subscription.pending_update_expired" | "subscription_schedule.created" | "subscription_schedule.updated" | "subscription_schedule.expiring" | "subscription_schedule.completed" | "subscription_schedule.released" | "subscription_schedule.canceled" | "subscription_schedule.aborted" | "customer.tax_id.created" | "customer.tax_id.updated" | "customer.tax_id.deleted" | "tax_rate.created" | "tax_rate.updated" | "tax.settings.updated" | "test_helpers.test_clock.created" | "test_helpers.test_clock.advancing" | "test_helpers.test_clock.ready" | "test_helpers.test_clock.deleted" | "topup.created" | "topup.succeeded" | "topup.failed" | "topup.canceled" | "topup.reversed" | "transfer.created" | "transfer.updated" | "transfer.reversed" | "v1.v1.billing.meter.no_meter_found" | "v1.application_fee.created" | "v1.application_fee.refunded" | "v1.balance.available" | "v1.account.external_account.created" | "v1.account.external_account.updated" | "v1.account.external_account.deleted" | "v1.v1.billing.meter.error_report_triggered" | "v1.billing_portal.configuration.created" | "v1.billing_portal.configuration.updated" | "v1.billing_portal.session.created" | "v1.capability.updated" | "v1.charge.succeeded" | "v1.charge.failed" | "v1.charge.pending" | "v1.charge.captured" | "v1.charge.expired" | "v1.charge.refunded" | "v1.charge.updated" | "v1.checkout.session.completed" | "v1.checkout.session.expired" | "v1.checkout.session.async_payment_succeeded" | "v1.checkout.session.async_payment_failed" | "v1.account.updated" | "v1.v2.core.account.created" | "v1.v2.core.account.updated" | "v1.v2.core.account.closed" | "v1.account.application.deauthorized" | "v1.coupon.created" | "v1.coupon.updated" | "v1.coupon.deleted" | "v1.billing.credit_balance_transaction.created" | "v1.billing.credit_grant.created" | "v1.billing.credit_grant.updated" | "v1.credit_note.created" | "v1.credit_note.updated" | "v1.credit_note.voided" | "v1.customer.created" | "v1.customer.updated" | "v1.customer.deleted" | "v1.cash_balance.funds_available" | "v1.customer_cash_balance_transaction.created" | "v1.customer.discount.created" | "v1.customer.discount.updated" | "v1.customer.discount.deleted" | "v1.charge.dispute.created" | "v1.charge.dispute.updated" | "v1.charge.dispute.closed" | "v1.charge.dispute.funds_withdrawn" | "v1.charge.dispute.funds_reinstated" | "v1.radar.early_fraud_warning.created" | "v1.radar.early_fraud_warning.updated" | "v1.v2.core.event_destination.ping" | "v1.application_fee.refund.updated" | "v1.invoice.created" | "v1.invoice.updated" | "v1.invoice.deleted" | "v1.invoice.finalized" | "v1.invoice.finalization_failed" | "v1.invoice.sent" | "v1.invoice.paid" | "v1.invoice.payment_succeeded" | "v1.invoice.payment_failed" | "v1.invoice.payment_action_required" | "v1.invoice.overdue" | "v1.invoice.voided" | "v1.invoice.marked_uncollectible" | "v1.invoice.upcoming" | "v1.invoice_payment.paid" | "v1.invoiceitem.created" | "v1.invoiceitem.deleted" | "v1.mandate.updated" | "v1.payment_intent.created" | "v1.payment_intent.requires_action" | "v1.payment_intent.processing" | "v1.payment_intent.amount_capturable_updated" | "v1.payment_intent.succeeded" | "v1.payment_intent.payment_failed" | "v1.payment_intent.canceled" | "v1.payment_intent.partially_funded" | "v1.payment_link.created" | "v1.payment_link.updated" | "v1.payment_method.attached" | "v1.payment_method.detached" | "v1.payment_method.updated" | "v1.payment_method.automatically_updated" | "v1.payout.created" | "v1.payout.updated" | "v1.payout.paid" | "v1.payout.failed" | "v1.payout.canceled" | "v1.payout.reconciliation_completed" | "v1.person.created" | "v1.person.updated" | "v1.person.deleted" | "v1.plan.created" | "v1.plan.updated" | "v1.plan.deleted" | "v1.price.created" | "v1.price.updated" | "v1.price.deleted" | "v1.product.created" | "v1.product.updated" | "v1.product.deleted" | "v1.promotion_code.created" | "v1.promotion_code.updated" | "v1.quote.created" | "v1.quote.finalized" | "v1.quote.accepted" | "v1.quote.canceled" | "v1.refund.created" | "v1.refund.failed" | "v1.refund.updated" | "v1.charge.refund.updated" | "v1.setup_intent.created" | "v1.setup_intent.requires_action" | "v1.setup_intent.succeeded" | "v1.setup_intent.setup_failed" | "v1.setup_intent.canceled" | "v1.source.chargeable" | "v1.source.failed" | "v1.source.canceled" | "v1.customer.subscription.created" | "v1.customer.subscription.updated" | "v1.customer.subscription.deleted" | "v1.customer.subscription.paused" | "v1.customer.subscription.resumed" | "v1.customer.subscription.trial_will_end" | "v1.customer.subscription.pending_update_applied" | "v1.customer.subscription.pending_update_expired" | "v1.subscription_schedule.created" | "v1.subscription_schedule.updated" | "v1.subscription_schedule.expiring" | "v1.subscription_schedule.completed" | "v1.subscription_schedule.released" | "v1.subscription_schedule.canceled" | "v1.subscription_schedule.aborted" | "v1.customer.tax_id.created" | "v1.customer.tax_id.updated" | "v1.customer.tax_id.deleted" | "v1.tax_rate.created" | "v1.tax_rate.updated" | "v1.tax.settings.updated" | "v1.test_helpers.test_clock.created" | "v1.test_helpers.test_clock.advancing" | "v1.test_helpers.test_clock.ready" | "v1.test_helpers.test_clock.deleted" | "v1.topup.created" | "v1.topup.succeeded" | "v1.topup.failed" | "v1.topup.canceled" | "v1.topup.reversed" | "v1.transfer.created" | "v1.transfer.updated" | "v1.transfer.reversed";
  readonly errors: "api_key_missing" | "api_key_invalid" | "key_not_allowed" | "tenant_unknown" | "tenant_siblings" | "account_type_and_controller" | "account_controller" | "account_terms" | "account_link_update" | "login_link_too_early" | "bank_number_real" | "external_account_default" | "destination_not_capable" | "account_without_charges" | "application_fee_alone" | "application_fee_too_large" | "refund_without_fee" | "fee_refunded" | "fee_refund_too_large" | "payouts_not_allowed" | "listener_unknown" | "unknown_route" | "not_found" | "version_invalid" | "parameter_missing" | "preview_without_subject" | "method_types_no_longer_supported" | "method_currency" | "method_country" | "parameter_unknown" | "parameter_invalid" | "parameter_invalid_integer" | "parameter_invalid_number" | "parameter_invalid_boolean" | "parameter_invalid_string" | "parameter_invalid_array" | "parameter_invalid_object" | "parameter_invalid_timestamp" | "parameter_invalid_enum" | "parameter_invalid_format" | "parameter_empty" | "parameter_too_long" | "parameter_too_many" | "parameter_below_minimum" | "parameter_above_maximum" | "parameter_out_of_range" | "parameters_exclusive" | "parameter_only_with" | "parameter_not_with" | "metered_quantity" | "tax_id_invalid" | "trial_from_plan_exclusive" | "pending_on_creation" | "pending_update_unsupported" | "amount_not_divisible" | "promotion_code_beyond_coupon" | "tax_rate_inactive" | "parameter_needs_confirm" | "currency_unsupported" | "parameters_not_ascending" | "tiers_not_rising" | "tiers_end" | "parameter_not_unique" | "tax_date_beyond" | "invoice_number_taken" | "transfer_group_set" | "charge_has_customer" | "quote_has_customer" | "dispute_evidence_too_long" | "checkout_dropdown_default" | "transfer_amount_too_large" | "proration_not_discountable" | "second_representative" | "token_account_terms" | "link_purpose" | "link_cart_empty" | "capture_is_final" | "schedule_without_anchor" | "schedule_current_phase" | "portal_without_card" | "manual_capture_unsupported" | "return_url_needed" | "plan_in_use" | "checkout_trial_too_short" | "application_fee_without_account" | "amount_too_small" | "amount_too_large" | "sum_out_of_bounds" | "unrecognized_test_value" | "body_malformed" | "body_too_large" | "content_type_unsupported" | "expand_invalid" | "expand_too_deep" | "cursor_not_found" | "cursors_exclusive" | "search_query_invalid" | "idempotency_mismatch" | "idempotency_other_route" | "idempotency_in_flight" | "idempotency_key_too_long" | "fault" | "internal_error" | "rate_limited" | "server_error" | "lock_timeout" | "payment_failed" | "card_refused" | "wrong_state" | "intent_without_method" | "intent_not_confirmable" | "intent_wrong_state" | "intent_not_capturable" | "setup_fixed" | "intent_field_frozen" | "capture_too_large" | "increment_not_supported" | "microdeposits_not_expected" | "microdeposits_wrong" | "method_type_excluded" | "method_type_not_allowed" | "method_type_mismatch" | "method_of_other_customer" | "method_of_a_customer" | "method_not_kept" | "method_with_customer" | "customer_missing" | "method_used_up" | "method_already_attached" | "method_not_attached" | "method_not_updatable" | "method_not_attachable" | "method_not_of_customer" | "capture_negative" | "capture_of_nothing" | "token_used" | "confirmation_token_used" | "confirmation_token_expired" | "cash_currency" | "cash_needs_customer" | "cash_too_small" | "source_not_chargeable" | "source_taken" | "source_not_verifiable" | "source_code_wrong" | "client_secret_wrong" | "token_wrong_type" | "bank_number_invalid" | "charge_without_source" | "customer_without_source" | "customer_without_saved_source" | "customer_with_method_only" | "charge_already_captured" | "charge_not_capturable" | "charge_of_intent" | "transfer_group_of_intent" | "mandate_needed" | "method_of_same_account" | "refund_without_payment" | "refund_of_unpaid" | "refund_of_failed_charge" | "refund_without_transfer" | "refund_too_large" | "charge_already_refunded" | "charge_disputed" | "refund_not_cancelable" | "dispute_closed" | "no_dispute" | "refund_of_hold" | "payout_too_large" | "transfer_too_large" | "payout_automatic" | "topup_not_cancelable" | "file_empty" | "file_type_invalid" | "file_too_large" | "link_in_past" | "link_expired" | "payout_not_cancelable" | "payout_not_reversible" | "payout_already_reversed" | "transfer_to_self" | "transfer_source_too_small" | "transfer_source_currency" | "transfer_reversed" | "reversal_too_large" | "outside_route" | "amount_details_wrong" | "checkout_tax_ids_need_name" | "shipping_days_reversed" | "postal_code_invalid" | "country_unknown" | "core_account_closed" | "core_account_country" | "core_account_not_connected" | "credit_grant_end" | "credit_grant_over" | "credit_grant_used" | "v2_page_unknown" | "destination_version" | "destination_events" | "destination_include" | "destination_not_thin" | "outside_sandbox" | "mandate_prefix_reserved" | "pix_expiry" | "component_feature" | "account_closed_by_link" | "revenue_country" | "token_of_platform" | "token_card_of_customer" | "portal_price" | "usage_only_increment" | "tax_posted_at" | "mandate_currency" | "mandate_of_other_method" | "taxes_of_both_kinds" | "no_component" | "feature_archived" | "no_such_source" | "method_missing_on_customer" | "already_exists" | "price_without_amount" | "price_without_product" | "tiers_of_one_time" | "interval_too_long" | "trial_after_phase" | "price_of_other_product" | "product_has_prices" | "tax_behavior_fixed" | "lookup_key_taken" | "coupon_without_value" | "coupon_with_both" | "coupon_without_currency" | "coupon_without_months" | "currency_key_case" | "promotion_without_coupon" | "invoice_prefix_invalid" | "invoice_prefix_taken" | "time_passed" | "time_ahead" | "coupon_expired" | "coupon_currency" | "promotion_code_taken" | "promotion_code_letters" | "promotion_code_minimum" | "promotion_code_unusable" | "promotion_code_not_active_again" | "promotion_code_expiry_too_late" | "no_discount" | "currencies_mixed" | "item_currency" | "price_inactive" | "price_not_one_time" | "price_not_recurring" | "price_currency_mismatch" | "item_of_other_customer" | "invoice_not_editable" | "invoice_field_fixed" | "invoice_not_deletable" | "invoice_item_fixed" | "invoice_item_deleted" | "invoice_of_subscription" | "invoice_already_finalized" | "invoice_already_paid" | "invoice_void" | "invoice_number_used" | "invoice_not_open" | "intent_not_attachable" | "invoice_not_sendable" | "invoice_not_sendable_now" | "invoice_not_revisable" | "invoice_needs_action" | "subscription_needs_action" | "nothing_to_invoice" | "nothing_upcoming" | "no_default_method" | "due_date_needed" | "due_date_refused" | "tax_location_missing" | "tax_calculation_expired" | "tax_reference_taken" | "tax_not_reversible" | "no_such_tax_line" | "balance_amount_zero" | "customer_tax_location" | "credit_note_too_large" | "credit_note_unbalanced" | "credit_note_state" | "credit_note_without_charge" | "credit_note_paid" | "credit_note_void" | "no_payment_source" | "days_until_due_needed" | "days_until_due_refused" | "trial_too_long" | "anchor_in_past" | "anchor_too_late" | "backdate_in_future" | "proration_date_outside" | "prices_repeated" | "price_already_billed" | "intervals_differ" | "too_many_items" | "last_item" | "subscription_canceled" | "subscription_gone" | "subscription_incomplete" | "subscription_scheduled" | "subscription_not_paused" | "pause_needs_flexible" | "pause_refused" | "pause_with_schedule" | "schedule_over" | "schedule_phases" | "usage_not_metered" | "usage_of_meter" | "usage_not_cleared" | "usage_in_future" | "usage_too_old" | "meter_state" | "meter_name_taken" | "metered_needs_meter" | "meter_needs_metered" | "meter_missing" | "meter_window" | "meter_event_time" | "meter_event_payload" | "meter_event_taken" | "meter_event_duplicate" | "meter_event_gone" | "token_expired" | "clock_in_past" | "test_clocks_mixed" | "clock_busy" | "quote_state" | "checkout_wrong_mode" | "checkout_wrong_ui" | "checkout_recurring_price" | "checkout_without_recurring" | "checkout_optional_items" | "checkout_customer_update" | "checkout_discounts" | "checkout_custom_fields" | "checkout_expiry_too_early" | "checkout_expiry_too_late" | "checkout_too_small" | "checkout_not_open" | "checkout_input" | "intent_of_checkout" | "intent_of_invoice" | "link_with_recurring" | "link_without_recurring" | "portal_inactive" | "portal_default_active" | "portal_flow";
}

/** Names that the pack task-automation declares. */
export interface TaskAutomation {
  readonly causes: {
    /** The source asks a person for something in the middle of a run. */
    readonly "task_run.interaction_required": { readonly task_run_id: string; readonly interaction?: { readonly type: "mfa" | "security_question" | "account_selection"; readonly message?: string; readonly fields?: readonly (Readonly<Record<string, unknown>>)[] } };
    /** The person answers in another channel. */
    readonly "interaction.answered": { readonly task_run_id: string };
    /** The source will reject the next answer and ask again, with the given challenge or the same. */
    readonly "interaction.rejected": { readonly task_run_id: string; readonly interaction?: { readonly type: "mfa" | "security_question" | "account_selection"; readonly message?: string; readonly fields?: readonly (Readonly<Record<string, unknown>>)[] } };
    /** Nobody answered the challenge in time. */
    readonly "interaction.expired": { readonly task_run_id: string };
    /** The run finished its work and a person has to look at it. */
    readonly "task_run.review_required": { readonly task_run_id: string; readonly output?: unknown };
    /** The reviewer accepts the run, perhaps with a corrected output. */
    readonly "task_run.review_approved": { readonly task_run_id: string; readonly output?: unknown };
    /** The reviewer rejects the run. */
    readonly "task_run.review_rejected": { readonly task_run_id: string; readonly message?: string };
    /** The run succeeds now. */
    readonly "task_run.completed": { readonly task_run_id: string; readonly output?: unknown };
    /** The run fails now, with any type and code. */
    readonly "task_run.failed": { readonly task_run_id: string; readonly type?: "api" | "auth" | "idempotency" | "interaction" | "organization" | "rate_limit" | "request" | "session" | "source" | "storage" | "task"; readonly code?: string; readonly message?: string };
    /** The site blocks automated access. */
    readonly "task_run.blocked": { readonly task_run_id: string; readonly message?: string };
    /** It's unknown whether the run did its work. */
    readonly "task_run.result_unknown": { readonly task_run_id: string };
    /** The run hangs; only its time limit, a cancel or another cause ends it. */
    readonly "task_run.stalled": { readonly task_run_id: string };
    /** The run exceeds its time limit now. */
    readonly "task_run.timed_out": { readonly task_run_id: string };
    /** The source rejects the credential; runs that use it fail. */
    readonly "credential.invalid": { readonly credential_id: string; readonly fail_runs?: boolean };
    /** The credential turns out to work. */
    readonly "credential.verified": { readonly credential_id: string };
    /** The website is down; active runs fail and later ones fail when they start. */
    readonly "source.unavailable": { readonly source_id: string; readonly fail_runs?: boolean };
    /** The website blocks the vendor; active runs fail and later ones fail when they start. */
    readonly "source.blocked": { readonly source_id: string; readonly fail_runs?: boolean };
    /** The website works again. */
    readonly "source.recovered": { readonly source_id: string };
    /** The browser breaks; the active runs of the session fail. */
    readonly "session.failed": { readonly session_id: string; readonly error?: "session_failed" | "session_timeout" };
    /** The idle session shuts down before its time. */
    readonly "session.expired": { readonly session_id: string };
    /** The task is learnt better, from learning to test and from test to live, or to live at once. */
    readonly "task.promoted": { readonly task_id: string; readonly status?: "test" | "live" };
    /** The site changed and the task has to be learned again. */
    readonly "task.degraded": { readonly task_id: string };
    /** A run captures a file. */
    readonly "storage.created": { readonly task_run_id: string; readonly file_name?: string; readonly file_type?: string; readonly file_size?: number; readonly extraction?: unknown };
    /** The destination proves that it can be reached. */
    readonly "event_destination.verified": { readonly event_destination_id: string };
    /** The destination cannot be reached when it is verified. */
    readonly "event_destination.verification_failed": { readonly event_destination_id: string };
    /** Every attempt to deliver failed and the vendor stops the destination. */
    readonly "event_destination.unreachable": { readonly event_destination_id: string };
    /** The organization has used up its plan or its sessions, and no run can be created. */
    readonly "organization.limit_reached": { readonly limit: "plan" | "sessions" };
    /** The organization may create runs again. */
    readonly "organization.limit_cleared": Readonly<Record<string, never>>;
    /** A person joins the organization. */
    readonly "user.created": { readonly email: string; readonly name?: string; readonly role?: "owner" | "admin" | "member" };
  };
  readonly operations: {
    readonly "agents": "create" | "retrieve" | "list" | "update" | "delete";
    readonly "credentials": "create" | "retrieve" | "list" | "update" | "delete";
    readonly "events": "retrieve" | "list" | "list_types";
    readonly "event_destinations": "create" | "retrieve" | "list" | "update" | "delete" | "verify" | "activate" | "deactivate" | "rotate_secret" | "list_deliveries" | "test";
    readonly "organizations": never;
    readonly "sessions": "retrieve" | "list" | "end";
    readonly "sources": "create" | "retrieve" | "list" | "update" | "delete";
    readonly "storage": "retrieve" | "list" | "list_for_run";
    readonly "tasks": "create" | "retrieve" | "list" | "update" | "delete" | "reset";
    readonly "task_runs": "create" | "retrieve" | "list" | "cancel" | "submit_interaction" | "review" | "retrieve_artifacts";
    readonly "test": "retrieve";
    readonly "tokens": "create";
    readonly "users": "retrieve" | "list";
    readonly "workflows": "retrieve" | "list";
  };
  readonly durations: "queue_time" | "run_time" | "auth_time" | "challenge_time" | "run_timeout" | "interaction_timeout" | "review_timeout" | "cancel_time" | "session_idle_timeout" | "session_completing_time" | "learning_time" | "test_time" | "outage_time" | "verification_time" | "limit_time" | "token_ttl" | "idempotency_ttl" | "delivery_retry_1" | "delivery_retry_2" | "delivery_retry_3" | "secret_overlap";
  readonly scenarios: "rate_limited" | "session_limit_exceeded" | "server_error" | "server_timeout" | "forbidden" | "plan_limit_reached" | "source_on_blocklist" | "unprocessable" | "slow" | "run_succeeds" | "run_fails" | "run_blocked" | "run_reports_timeout" | "result_unknown" | "auth_invalid" | "source_blocked" | "source_unavailable" | "source_error" | "interaction_expires" | "session_never_starts" | "session_fails" | "storage_fails" | "extraction_fails" | "platform_fails" | "run_times_out" | "review_required" | "mfa_required" | "security_question" | "account_selection" | "verification_fails";
  readonly pins: "output" | "task_run.output" | `output.${string}` | `task_run.output.${string}` | "errors" | "task_run.errors" | "interaction" | "task_run.interaction" | "result" | "task_run.result";
  readonly branches: "completed" | "failed" | "interaction_required" | "review_required" | "stalled";
  readonly testValues: never;
  readonly events: "agent.created" | "agent.updated" | "agent.deleted" | "credential.created" | "credential.unverified" | "credential.verified" | "credential.invalid" | "credential.deleted" | "event_destination.activated" | "event_destination.deactivated" | "session.queued" | "session.running" | "session.idle" | "session.completing" | "session.completed" | "session.failed" | "source.created" | "source.updated" | "source.deleted" | "storage.created" | "task.created" | "task.updated" | "task.reset" | "task.deleted" | "task_run.queued" | "task_run.running" | "task_run.interaction_required" | "task_run.review_required" | "task_run.completed" | "task_run.failed" | "task_run.canceling" | "task_run.canceled" | "user.created";
  readonly errors: "api_key_missing" | "api_key_invalid" | "unknown_route" | "not_found" | "validation_failed" | "body_malformed" | "content_type_unsupported" | "body_too_large" | "parameter_missing" | "parameter_empty" | "parameter_invalid" | "parameter_invalid_integer" | "parameter_invalid_boolean" | "parameter_invalid_string" | "parameter_invalid_array" | "parameter_invalid_object" | "parameter_invalid_json_schema" | "parameter_invalid_enum" | "parameter_invalid_format" | "parameter_too_long" | "parameter_below_minimum" | "parameter_above_maximum" | "idempotency_mismatch" | "idempotency_other_route" | "idempotency_in_flight" | "idempotency_key_too_long" | "wrong_state" | "in_use" | "task_already_exists" | "task_run_not_cancelable" | "review_not_pending" | "interaction_not_pending" | "session_not_active" | "event_destination_not_pending" | "event_destination_not_inactive" | "event_destination_already_inactive" | "event_destination_without_secret" | "credential_deleted" | "credential_source_mismatch" | "plan_limit_reached" | "session_limit_exceeded" | "forbidden" | "source_on_blocklist" | "unprocessable" | "rate_limited" | "server_error" | "server_timeout" | "fault" | "internal_error";
}

/** Names that the pack team-chat declares. */
export interface TeamChat {
  readonly causes: {
    /** The vendor asks the request URL for the challenge. */
    readonly "url.checked": { readonly subscription_id: string };
    /** The application connects by Socket Mode. */
    readonly "socket.opened": { readonly listener: string };
    /** The last connection of Socket Mode has ended. */
    readonly "socket.closed": { readonly listener: string };
    /** The vendor ends the connections of Socket Mode; the application makes new ones. */
    readonly "socket.recycled": { readonly reason?: "warning" | "refresh_requested" | "link_disabled" };
    /** Somebody writes a message, or answers in a thread. */
    readonly "user.wrote": { readonly user_id: string; readonly channel: string; readonly text: string; readonly thread_ts?: string; readonly blocks?: unknown };
    /** Somebody mentions the app. */
    readonly "user.mentioned": { readonly user_id: string; readonly channel: string; readonly text?: string; readonly thread_ts?: string };
    /** Somebody changes a message of theirs. */
    readonly "user.edited": { readonly ts: string; readonly text: string };
    /** Somebody deletes a message. */
    readonly "user.deleted_message": { readonly ts: string };
    /** Somebody reacts to a message. */
    readonly "user.reacted": { readonly user_id: string; readonly ts: string; readonly name?: string };
    /** Somebody takes a reaction back. */
    readonly "user.unreacted": { readonly user_id: string; readonly ts: string; readonly name?: string };
    /** Somebody clicks a button of a message or a view, or chooses in a menu. */
    readonly "user.clicked": { readonly user_id: string; readonly ts?: string; readonly view_id?: string; readonly action_id: string; readonly value?: unknown };
    /** Somebody types into a menu whose options the app offers. */
    readonly "user.searched_options": { readonly user_id: string; readonly ts?: string; readonly view_id?: string; readonly action_id: string; readonly value?: string };
    /** Somebody types a command. */
    readonly "user.commanded": { readonly user_id: string; readonly channel: string; readonly command: string; readonly text?: string };
    /** Somebody uses a shortcut of the app, of a message where `ts` names one. */
    readonly "user.used_shortcut": { readonly user_id: string; readonly callback_id: string; readonly ts?: string };
    /** Somebody opens the app's home or its messages. */
    readonly "user.opened_home": { readonly user_id: string; readonly tab?: "home" | "messages" };
    /** Somebody submits a form. The app's response decides the result. */
    readonly "view.submitted": { readonly view_id: string; readonly values?: Readonly<Record<string, unknown>> };
    /** Somebody closes a form; with `is_cleared` all of them. */
    readonly "view.closed": { readonly view_id: string; readonly is_cleared?: boolean };
    /** Somebody joins the workspace. */
    readonly "user.joined": { readonly name: string; readonly real_name?: string; readonly email?: string };
    /** Somebody joins a conversation. */
    readonly "user.entered": { readonly user_id: string; readonly channel: string };
    /** Somebody leaves a conversation. */
    readonly "user.left": { readonly user_id: string; readonly channel: string };
    /** Somebody adds the app to a conversation. */
    readonly "app.added": { readonly channel: string; readonly user_id?: string };
    /** Somebody removes the app from a conversation. */
    readonly "app.removed": { readonly channel: string };
    /** Somebody makes a channel. */
    readonly "channel.created": { readonly user_id?: string; readonly name: string; readonly is_private?: boolean };
    /** Somebody renames a channel. */
    readonly "channel.renamed": { readonly channel: string; readonly user_id?: string; readonly name: string };
    /** Somebody archives a channel. */
    readonly "channel.archived": { readonly channel: string; readonly user_id?: string };
    /** Somebody opens an archived channel again. */
    readonly "channel.unarchived": { readonly channel: string; readonly user_id?: string };
    /** Somebody changes their profile or status. */
    readonly "user.changed_profile": { readonly user_id: string; readonly profile: Readonly<Record<string, unknown>> };
    /** Somebody's account is closed; their tokens end. */
    readonly "user.deactivated": { readonly user_id: string };
    /** A closed account is opened again. */
    readonly "user.reactivated": { readonly user_id: string };
    /** A person allows what the app asks for. The code goes back to `redirect_uri`. */
    readonly "app.authorized": { readonly installation: string; readonly person?: string } | { readonly user_id: string; readonly code: string; readonly scopes: readonly (string)[]; readonly user_scopes?: readonly (string)[]; readonly rotates?: boolean };
    /** A person does not allow it. */
    readonly "app.declined": { readonly installation: string };
    /** The app is removed from the workspace; its tokens end. */
    readonly "app.uninstalled": Readonly<Record<string, never>>;
    /** A token ends. */
    readonly "token.revoked": { readonly token: string };
  };
  readonly operations: {
    readonly "bookmarks": "add" | "edit" | "list" | "remove";
    readonly "channels": "create" | "list" | "of_user" | "info" | "members" | "join" | "invite" | "kick" | "leave" | "open" | "close" | "archive" | "unarchive" | "rename" | "set_topic" | "set_purpose" | "mark" | "admin_create";
    readonly "channel_members": never;
    readonly "ephemeral_messages": never;
    readonly "events": never;
    readonly "files": "promise" | "upload" | "finish" | "list" | "info" | "remove" | "search" | "download";
    readonly "response_urls": "respond";
    readonly "incoming_webhooks": "send";
    readonly "installations": "authorize";
    readonly "messages": "post" | "me" | "change" | "remove" | "ephemeral" | "permalink" | "unfurl" | "history" | "replies" | "search" | "search_all";
    readonly "pins": "add" | "remove" | "list";
    readonly "message_reactions": "add" | "remove" | "of_message" | "list";
    readonly "reminders": "add" | "list" | "info" | "complete" | "remove";
    readonly "scheduled_messages": "schedule" | "list" | "unschedule";
    readonly "subscriptions": never;
    readonly "tokens": "access";
    readonly "triggers": never;
    readonly "users": "list" | "info" | "by_email" | "profile" | "set_profile" | "presence" | "set_presence" | "snooze" | "set_snooze" | "end_snooze" | "admin_invite";
    readonly "usergroups": "create" | "change" | "list" | "users" | "set_users" | "disable" | "enable";
    readonly "views": "open" | "push" | "change" | "publish";
    readonly "workspaces": "test" | "auth_test" | "revoke" | "uninstall" | "team_info" | "emoji" | "bots_info" | "connections_open" | "authorizations";
  };
  readonly durations: "trigger_life" | "hook_life" | "code_life" | "token_life";
  readonly scenarios: "rate_limited" | "account_inactive" | "restricted_action" | "no_permission" | "edit_window_closed" | "not_enabled" | "message_limit_exceeded" | "team_access_not_granted" | "ekm_access_denied" | "fatal_error" | "service_unavailable" | "slow";
  readonly pins: "search" | "message.search" | "presence" | "user.presence";
  readonly branches: never;
  readonly testValues: never;
  readonly events: "channel_created" | "channel_archive" | "channel_unarchive" | "channel_rename" | "group_archive" | "group_unarchive" | "group_rename" | "im_created" | "member_left_channel" | "message.channels" | "message.groups" | "message.im" | "message.mpim" | "member_joined_channel" | "file_created" | "file_shared" | "file_deleted" | "app_mention" | "link_shared" | "pin_added" | "pin_removed" | "reaction_added" | "reaction_removed" | "url_verification" | "disconnect" | "tokens_revoked" | "block_actions" | "block_suggestion" | "message_action" | "shortcut" | "slash_command" | "team_join" | "user_change" | "user_profile_changed" | "user_status_changed" | "dnd_updated_user" | "app_home_opened" | "subteam_created" | "subteam_updated" | "view_submission" | "view_closed" | "app_uninstalled";
  readonly errors: "api_key_missing" | "api_key_invalid" | "token_expired" | "scope_missing" | "missing_scope" | "key_not_allowed" | "unknown_route" | "parameter_missing" | "parameter_invalid" | "invalid_arguments" | "invalid_blocks" | "cursor_not_found" | "body_malformed" | "body_too_large" | "content_type_unsupported" | "wrong_state" | "rate_limited" | "fault" | "internal_error" | "not_found" | "upload_failed" | "hook_gone" | "hook_late" | "socket_unknown" | "fatal_error" | "service_unavailable" | "team_access_not_granted" | "ekm_access_denied" | "message_limit_exceeded" | "failed" | "failed_for" | "not_allowed_token_type" | "account_inactive" | "invalid_client_id" | "bad_client_secret" | "invalid_code" | "code_already_used" | "bad_redirect_uri" | "invalid_grant_type" | "invalid_refresh_token" | "invalid_event_context" | "no_permission" | "channel_not_found" | "is_archived" | "not_in_channel" | "method_not_supported_for_channel_type" | "restricted_action" | "already_archived" | "not_authorized" | "not_archived" | "cant_kick_self" | "cant_kick_from_general" | "cant_leave_general" | "cant_archive_general" | "last_member" | "no_user" | "user_not_in_channel" | "name_taken" | "invalid_name" | "invalid_name_required" | "invalid_name_maxlength" | "invalid_name_punctuation" | "invalid_name_specials" | "invalid_types" | "invalid_limit" | "invalid_cursor" | "invalid_timestamp" | "invalid_ts_oldest" | "invalid_ts_latest" | "too_long" | "users_list_not_supplied" | "too_many_users" | "user_disabled" | "no_text" | "message_not_found" | "thread_not_found" | "cant_update_message" | "cant_delete_message" | "edit_window_closed" | "msg_too_long" | "invalid_blocks_format" | "invalid_attachments" | "too_many_attachments" | "markdown_text_conflict" | "invalid_metadata_format" | "invalid_metadata_schema" | "metadata_too_large" | "time_in_past" | "time_too_far" | "invalid_time" | "restricted_too_many" | "invalid_scheduled_message_id" | "invalid_channel" | "missing_unfurls" | "cannot_find_message" | "no_query" | "already_reacted" | "no_reaction" | "no_item_specified" | "bad_timestamp" | "too_many_emoji" | "already_pinned" | "no_pin" | "invalid_bookmark_type" | "invalid_link" | "invalid_title" | "cannot_add_bot" | "cannot_parse" | "user_not_found" | "users_not_found" | "invalid_presence" | "invalid_profile" | "cannot_update_admin_user" | "name_already_exists" | "handle_already_exists" | "bad_handle" | "description_too_long" | "no_such_subteam" | "no_users_provided" | "invalid_users" | "missing_duration" | "snooze_not_active" | "already_in_team" | "invalid_email" | "file_not_found" | "cant_delete_file" | "channels_limit_exceeded" | "invalid_trigger_id" | "expired_trigger_id" | "exchanged_trigger_id" | "push_limit_reached" | "hash_conflict" | "duplicate_external_id" | "view_too_large" | "not_enabled" | "bot_not_found" | "team_not_found";
}

declare module '../../engine/control/words.cjs' {
  interface Packs {
    "bank-data": BankData;
    "code-hosting": CodeHosting;
    "identity": Identity;
    "mail": Mail;
    "messaging": Messaging;
    "models": Models;
    "payments": Payments;
    "task-automation": TaskAutomation;
    "team-chat": TeamChat;
  }
}