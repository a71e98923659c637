"""Steps of PyGithub as Debian ships it."""
import json
import os
import urllib.request

import github
from kit import equal, step

URL, KEY = os.environ["SANDBOX_URL"], os.environ["SANDBOX_KEY"]
client = github.Github(KEY, base_url=URL, per_page=2)


def advance(duration):
    request = urllib.request.Request(
        f"{URL}/__admin__/clock/advance",
        json.dumps({"duration": duration}).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"},
    )
    urllib.request.urlopen(request).read()


def made():
    repo = client.get_user().create_repo("tide", auto_init=True)
    equal(repo.full_name, "octo/tide")
    return repo


def issues():
    for number in range(5):
        repo.create_issue(f"No {number}", labels=["bug"])
    equal(len(list(repo.get_issues(state="open"))), 5)
    issue = repo.get_issue(1)
    issue.create_comment("Seen")
    issue.edit(state="closed")
    equal([event.event for event in issue.get_events()], ["labeled", "closed"])
    equal(issue.get_comments()[0].body, "Seen")


def merged():
    main = repo.get_git_ref("heads/main")
    repo.create_git_ref("refs/heads/topic", main.object.sha)
    result = repo.create_file("a.txt", "Add", "low", branch="topic")
    equal(repo.get_contents("a.txt", ref="topic").decoded_content, b"low")
    pull = repo.create_pull(title="Low", body="", head="topic", base="main")
    advance("5s")
    equal(repo.get_pull(pull.number).mergeable, True)
    commit = repo.get_commit(result["commit"].sha)
    commit.create_status("success", context="ci")
    equal(commit.get_combined_status().state, "success")
    pull.create_review(body="Fine", event="COMMENT")
    equal(pull.merge(merge_method="squash").merged, True)


def deployed():
    deployment = repo.create_deployment("main", environment="staging", required_contexts=[])
    deployment.create_status("success")
    equal([each.state for each in deployment.get_statuses()], ["success"])


def released():
    release = repo.create_git_release("v1", "First", "Tables")
    equal(repo.get_release("v1").title, "First")
    equal(release.tag_name, "v1")


def missing():
    try:
        client.get_repo("octo/none")
    except github.UnknownObjectException as error:
        equal(error.status, 404)
        return
    raise AssertionError("nothing was raised")


def wrong_key():
    try:
        github.Github("wrong", base_url=URL).get_user().login
    except github.BadCredentialsException as error:
        equal(error.status, 401)
        return
    raise AssertionError("nothing was raised")


repo = step("a repository with a first commit", made)
step("issues over several pages, comments, events", issues)
step("a pull request: files, status, review, squash", merged)
step("a deployment and its state", deployed)
step("a release", released)
step("the rate limit", lambda: equal(client.get_rate_limit().core.limit, 5000))
step("what is missing is an UnknownObjectException", missing)
step("a wrong key is a BadCredentialsException", wrong_key)
