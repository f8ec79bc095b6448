"""
Every text of the tree that a model or a person reads, but for the tool schemas (`schemas.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from dsh_reference.tree.levels import Level

MESSAGE_PREFIX = "tree_task消息："
NO_PLAN_TREE = "（还没有计划。先用 tree_task_create 建立目标与任务。）"
CURRENT = " ← 当前"
LEAF_HINT = "（还没有子节点 → 调用 tree_task_plan）"
RESULT = "结果: "

# What comes next.
REPORT_FINALLY = "请汇报最终结果。"

# Replies of the tools.
PLAN_CREATED = "计划已建立。"
CREATED_NEXT = "下一步：调用 tree_task_plan 给这个目标下的第一个任务拆子任务。"
CREATE_REFUSED = "建立目标失败："
PLAN_REFUSED = "没有添加："
DONE_REFUSED = "没有完成："
UPDATE_REFUSED = "没有修改："
DROP_REFUSED = "没有丢弃："
NO_PLAN = "还没有计划。"
NO_PLAN_TO_GROW = "还没有计划。先用 tree_task_create 建立目标与任务。"

# Refusals of the plan.
NEEDS_A_TASK = "至少要有一个任务；请在 tasks 里给出"
NEEDS_A_CHILD = "至少要给一个子节点"
NOTHING_TO_EDIT = "没有给出任何要改的字段（title / detail）"

# Replies of the command.
USAGE = """\
/task-tree                     查看本会话的任务树与检查点状态
/task-tree done <id> <结果>     提交某个节点的结果并完成它
/task-tree drop <id>           丢弃某个节点
/task-tree pause               暂停：当前工具跑完后停住，不再往下推进
/task-tree resume              继续：从停住的地方接着跑，不插消息
/task-tree reset               清掉本会话的计划树"""
DONE_USAGE = "用法：/task-tree done <节点 id> <结果>"
DROP_USAGE = "用法：/task-tree drop <节点 id>"
NO_SESSION = "拿不到当前会话。"
NO_SESSION_PLAN = "本会话还没有计划。"
NO_SESSION_PLAN_STATUS = "本会话还没有计划。用 tree_task_create 建立目标与任务。"
ALL_FINISHED_STATUS = "计划树上的所有节点都已结束。请向用户汇报最终结果。"
RESULT_MISSING = (
    "完成必须提交结果：请写清这个节点产出了什么。"
    "插件会用它顶替这个节点从开始到现在的整段执行过程，所以要写成能独立看懂的样子。"
)
PAUSED = (
    "已暂停本会话：正在执行的那个工具会正常跑完，之后不再往下推进。"
    "任务树的进度没有变，点继续就从停住的地方接着跑。"
)
_RESUMED = "已继续：停在岔口上的那一步已经放行"
RESUMED_AUTO = f"{_RESUMED}，自动续行也重新允许了。"
RESUMED_PLAIN = f"{_RESUMED}。配置里 autoContinue 是 false，所以模型自己停下后不会再被自动拉起。"
RESUMED_INTERRUPTED = f"{_RESUMED}。你停止过这个会话，所以要等你再发一条消息，自动续行才会恢复。"
RESET = "已清掉本会话的计划树。"
OFF_NOTE = (
    "dsh-tree-task-flow 已被配置**关闭**（config 里 enabled 不是 true）："
    "它没有注册工具，也不会折叠任何上下文。"
    "要打开请在 profile 的 cordis.patch.yml 里把 enabled 设为 true。"
)
OFF_REFUSAL = "关闭状态下只有 /task-tree status 与 /task-tree help 可用。"

# Log lines.
OFF_WARNING = (
    "dsh-tree-task-flow: 已按配置关闭（enabled=false）。"
    "要打开请在 profile 的 cordis.patch.yml 里把它设为 true。"
)
FOLD_FAILED = "dsh-tree-task-flow: 折叠失败，保留原区间："
STATE_FAILED = "dsh-tree-task-flow: 状态文件写不进去："

# Titles of messages.
CONTINUE_SUMMARY = "计划续行"

PROMPT = (
    "需要多步才能交付的工作，用 tree_task_* 这组工具按目标、任务、子任务三级来做。"
    "每结束一个节点就用 tree_task_done 交上它的结果：节点的执行过程随后会从上下文里收走，"
    "留下的只有这条结果，所以要写成不看过程也能明白、能验收的样子。"
    "不确定该推进哪个节点时，用 tree_task_status 查看。"
)


def untitled(level: Level) -> str:
    """
    Stand in for a blank title.
    """
    return f"(未命名{level.label})"


def no_such_node(node_id: str) -> str:
    """
    Refuse an unknown id.
    """
    return f"找不到节点 {node_id}"


def lowest_level(node_id: str) -> str:
    """
    Refuse children of a step.
    """
    return f"{Level.STEP.label} {node_id} 是最低一级，不能再拆"


def already_done(node_id: str) -> str:
    """
    Refuse to complete twice.
    """
    return f"节点 {node_id} 已经是完成状态"


def dropped_not_done(node_id: str) -> str:
    """
    Refuse to complete what was dropped.
    """
    return f"节点 {node_id} 已被丢弃，不能标记完成"


def done_not_dropped(node_id: str) -> str:
    """
    Refuse to drop what is complete.
    """
    return f"节点 {node_id} 已经完成，丢弃会毁掉它的结果记录"


def already_dropped(node_id: str) -> str:
    """
    Refuse to drop twice.
    """
    return f"节点 {node_id} 已经被丢弃"


def needs_a_result(level: Level) -> str:
    """
    Refuse a blank result.
    """
    return f"完成{level.label}必须提交结果：请在 result 里写清它产出了什么"


def next_up(level: Level, title: str, node_id: str) -> str:
    """
    Name the node to be advanced.
    """
    return f"接下来需要进行{level.spoken}：「{title}」({node_id})。"


def checkpoint(level: Level, title: str, node_id: str) -> str:
    """
    Ask whether a node whose children are all finished is complete.
    """
    self_name = f"{level.label}{node_id}" if level is Level.GOAL else f"任务「{title}」{node_id}"
    child = Level.TASK.spoken if level is Level.GOAL else Level.STEP.spoken
    return (
        f"检查点：{self_name} 的{child}已全部结束，请确认{self_name} 是否完成，"
        f"如果完成请调用tree_task_done，如果还需继续，可使用 tree_task_plan 新增{child}继续。"
    )


def goal_added(title: str) -> str:
    """
    Confirm a further goal.
    """
    return f"已新增目标「{title}」。"


def children_added(count: int, level: Level) -> str:
    """
    Head the list of new children.
    """
    return f"已添加 {count} 个{level.label}："


def updated(fields: Sequence[str]) -> str:
    """
    Confirm an edit.
    """
    return f"已更新 {' / '.join(fields)}。"


def named(level: Level, title: str) -> str:
    """
    Name a node by level and title.
    """
    return f"{level.label}「{title}」"


def dropped(names: Sequence[str]) -> str:
    """
    Confirm a drop, with what went along.
    """
    return f"已丢弃：{'、'.join(names)}"


def completed(level: Level, title: str) -> str:
    """
    Confirm a completion by command.
    """
    return f"{named(level, title)}已完成"


def unknown_verb(verb: str) -> str:
    """
    Refuse an unknown word of the command.
    """
    return f"不认识的子命令：{verb}"


def checkpoint_status(level: Level, title: str, node_id: str) -> str:
    """
    Tell a person about a checkpoint, in two lines.
    """
    return (
        f"检查点：{named(level, title)}({node_id}) 的子节点已全部结束。\n"
        f'结果已经满足「{title}」，就用 tree_task_done(id="{node_id}", result="…") '
        f"提交这个{level.label}的结果并完成它；还缺哪一步，再用 tree_task_plan 补上。"
    )


def current_status(level: Level, title: str, node_id: str) -> str:
    """
    Tell a person which node is current, and that it is not split yet.
    """
    line = f"当前{level.label}：{node_id}「{title}」"
    if level.below is None:
        return line
    return f"{line}（还没有{level.below.label} → tree_task_plan）"


def hidden(count: int) -> str:
    """
    Count what a fold took away.
    """
    return f"隐藏了{count}条过程上下文"


def fold_notice(count: int, reads: Sequence[str], writes: Sequence[str]) -> str:
    """
    Stand in for a folded range: the count, then the files read, then the files written.
    """
    lines = [f"{MESSAGE_PREFIX}{hidden(count)}。"]
    if reads:
        lines.append(f"读取：{'、'.join(reads)}")
    if writes:
        lines.append(f"写入：{'、'.join(writes)}")
    return "\n".join(lines)


def fold_summary(count: int, files: int) -> str:
    """
    Title a fold notice in one line.
    """
    return f"树形任务流 · {hidden(count)}" + (f" · 涉及 {files} 个文件" if files else "")
