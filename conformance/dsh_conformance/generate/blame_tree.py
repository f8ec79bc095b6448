"""
Which clause of the tree contract a difference breaks.
"""

from __future__ import annotations

from dsh_conformance.generate.blame import Blame

FOLD_BLAME = (
    Blame("tree.fold.before-request", verb="enter"),
    Blame("tree.notice.source", verb="log|surface", path=r"source\.(kind|plugin|form)"),
    Blame("tree.notice.summary", verb="log|surface|request|inbox", path=r"source\.summary"),
    Blame("tree.notice.count", verb="log|surface|request", path="text$", words=True, seen="隐藏了"),
    Blame("tree.fold.logged", verb="log", path=r"\d+$"),
    Blame("tree.fold.range", verb="log|surface|request"),
)

_NEXT = "接下来需要进行"
TREE_BLAME = (
    Blame("tree.pause.holds", verb="enter", expected="held"),
    Blame("tree.pause.human-passes", verb="enter", seen="held"),
    Blame("tree.pause.abort-frees", verb="abort-step", seen="held"),
    Blame("tree.pause.human-frees-waiting", verb="poll-step", seen="held"),
    Blame("tree.pause.holds", verb="poll-step"),
    Blame("tree.autocontinue.text", verb="idle", path="text$", words=True),
    Blame("tree.autocontinue.pushes", verb="idle", seen=r"^nothing$"),
    Blame("tree.autocontinue.stop-is-stop", verb="idle", expected=r"^\[\]$"),
    Blame("tree.autocontinue.pushes", verb="idle"),
    Blame("tree.state.cursors-follow", verb="file", value="surfaces"),
    Blame("tree.state.plan-shape", verb="file"),
    Blame("tree.tools.refusals-are-results", value="tree_task", key="says", seen="an error"),
    Blame("tree.status.no-plan", value="status", key="says", expected="还没有计划"),
    Blame(
        "tree.status.current", value="status", key="says", expected=" ← 当前", seen="^(?!.* ← 当前)"
    ),
    Blame("tree.status.form", value="status", key="says"),
    Blame("tree.create.needs-a-task", value="create", key="says", expected="建立目标失败"),
    Blame("tree.create.reply", value="create", key="says"),
    Blame("tree.plan.refusals", value="plan", key="says", expected="没有添加|还没有计划"),
    Blame("tree.plan.reply", value="plan", key="says"),
    Blame("tree.done.needs-result", value="done", key="says", expected="必须提交结果"),
    Blame("tree.done.refusals", value="done", key="says", expected="没有完成|还没有计划"),
    Blame("tree.done.checkpoint", value="done", key="says", expected="检查点"),
    Blame("tree.done.all-finished", value="done", key="says", expected="请汇报最终结果"),
    Blame("tree.path.one", value="done", key="says", expected=_NEXT, seen=_NEXT),
    Blame("tree.done.next-step", value="done", key="says"),
    Blame("tree.update.refusals", value="update", key="says", expected="没有修改|还没有计划"),
    Blame("tree.update.reply", value="update", key="says"),
    Blame("tree.drop.refusals", value="drop", key="says", expected="没有丢弃|还没有计划"),
    Blame("tree.drop.reply", value="drop", key="says"),
    Blame("tree.command.unknown", verb="command", key="error", expected="不认识的子命令"),
    Blame("tree.command.no-session", verb="command", key="error", expected="拿不到当前会话"),
    Blame("tree.command.done-refusals", verb="command", value=" done", key="error"),
    Blame("tree.command.done-form", verb="command", value=" done"),
    Blame("tree.command.drop-form", verb="command", value=" drop"),
    Blame("tree.command.pause-form", verb="command", value=" (pause|resume|stop)"),
    Blame("tree.command.reset-form", verb="command", value=" reset"),
    Blame("tree.command.status-form", verb="command"),
    Blame("tree.prompt.stable", verb="request", path="system"),
    *FOLD_BLAME,
)
